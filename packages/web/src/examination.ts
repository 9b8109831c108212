import type { Handler } from '@harvestman/http'

import { isFromPage, json, refuse } from './requests.ts'

/** What was found about one part of a server. */
export interface Finding {
  readonly name: string
  readonly state: 'good' | 'missing' | 'broken'
  readonly says: string
  /** What to do about it. */
  readonly fix?: string | undefined
}

/** What was found holds for this long: it costs the start of a browser and a question to the model. */
const holds = 10_000

/** Answers what the server can do, to its operator alone: the findings name files, hosts and models. */
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
  /** The API itself knows the admin key. */
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
    if (!doctor) return refuse(404, 'This server does not say what it can do.')
    return json(200, { success: true, findings: await look(doctor) })
  }
}
