import type { Handler } from '@harvestman/http'

import { isFromPage, json, refuse } from './requests.ts'

/** Result of the check of one part of a server. */
export interface Finding {
  readonly name: string
  readonly state: 'good' | 'missing' | 'broken'
  readonly message: string
  /** The remedy. */
  readonly fix?: string | undefined
}

/** Milliseconds that the findings are cached, because checking launches a browser and calls the model. */
const holds = 10_000

/**
 * Creates the handler that returns the findings of `doctor`, cached for 10 seconds, to the operator only, since they name
 * files, hosts and models. Others get 401, and requests that are not from the page 403; without `doctor` it responds with 404.
 */
export function makeExamination(
  handle: Handler,
  basePath: string,
  doctor: (() => Promise<readonly Finding[]>) | undefined,
): (request: Request) => Promise<Response> {
  let last: Promise<readonly Finding[]> | undefined
  const look = async (ask: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> => {
    last ??= ask().finally(() => setTimeout(() => (last = undefined), holds).unref())
    return last
  }
  /** Asks the API whether the key is the admin key. */
  const isOperator = async ({ url, headers }: Request): Promise<boolean> => {
    if (handle.isOpen === true) return true
    const authorization = headers.get('authorization')
    if (authorization === null) return false
    const probe = new Request(new URL(`${basePath}/admin/teams`, url), { headers: { authorization } })
    return (await handle(probe)).status === 200
  }
  return async (request) => {
    if (!isFromPage(request)) return refuse(403, 'The status is shown by the page itself.')
    if (!(await isOperator(request))) return refuse(401, 'This is not the admin key of the server.')
    if (!doctor) return refuse(404, 'This server does not list its abilities.')
    return json(200, { success: true, findings: await look(doctor) })
  }
}
