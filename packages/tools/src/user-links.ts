// Pages of a profile. One that needs a person: the user of the client gets a link, and the call is repeated afterwards.
import { z } from 'zod'

import type { ToolContext, UserLinks } from './tool.ts'
import { ApiRefusal } from './web-api.ts'

/** The name of a profile. The server checks its length. */
export const profileInput = z.string().optional().describe('Saved login.')

/** Returns the option of the API for the name of a profile. */
export function withProfile(name: string | undefined): { readonly profile?: { readonly name: string } } {
  return name === undefined ? {} : { profile: { name } }
}

/** Thrown to end a call: the client shows the link to its user, and repeats the call with the state and the user's choice. */
export class UserLink extends Error {
  readonly url: string
  readonly state: string
  constructor({ url, host, state }: { readonly url: string; readonly host: string; readonly state: string }) {
    super(`${host} needs you, for example to log in. The link opens a browser of your server with its profile.`)
    this.url = url
    this.state = state
  }
}

/** The parts of a request to a person that are used here. */
interface PersonRequest {
  readonly id: string
  readonly status: string
  readonly url: string
  readonly profile: string
  readonly jobId?: string | null
  readonly link?: string | null
}

interface WantedPage {
  readonly url: string
  readonly profile: string | undefined
}

const pollInterval = 500
/** Milliseconds that a call waits for the user. */
const maxUserWait = 45_000
/** Seconds that a link is valid. */
const validFor = 1_800

/**
 * Loads a page. If its profile is logged out, shows a link to the user. Rejects with an `ApiRefusal` if the user declines or is
 * not done in 45 seconds, and as `load` does.
 */
export async function loadWithUser<T>(page: WantedPage, load: () => Promise<T>, context: ToolContext): Promise<T> {
  const { links, api, signal } = context
  const { url, profile } = page
  if (!links || profile === undefined) return load()
  if (links.last) await untilUserIsDone(links.last, context)
  try {
    return await load()
  } catch (error) {
    if (links.last || !(error instanceof ApiRefusal) || error.code !== 'SCRAPE_LOGGED_OUT') throw error
    const reason = error.signal === 'second_factor' ? error.signal : 'login_expired'
    const body = { url, profile, reason, timeout: validFor }
    // A server without requests to people.
    const request = await api.post<PersonRequest>('/v2/people', body, signal).catch(() => undefined)
    if (!request?.link) throw error
    throw new UserLink({ url: request.link, host: new URL(url).host, state: request.id })
  }
}

async function untilUserIsDone(
  { state, isAccepted }: NonNullable<UserLinks['last']>,
  context: ToolContext,
): Promise<void> {
  const path = personPath(state)
  if (!isAccepted) {
    await decline(state, context)
    throw new ApiRefusal('USER_DECLINED', 'The user declined to log in, so the page was not loaded.', 0)
  }
  const end = performance.now() + maxUserWait
  for (;;) {
    const { status } = await context.api.get<PersonRequest>(path, context.signal)
    if (status === 'done') return
    if (status !== 'waiting') throw new ApiRefusal('USER_NOT_DONE', `The request to the user has ended: ${status}.`, 0)
    if (performance.now() > end)
      throw new ApiRefusal('USER_NOT_DONE', 'The user is not done yet. Repeat the call when the user is.', 0)
    await new Promise((resolve) => setTimeout(resolve, pollInterval))
    context.signal.throwIfAborted()
  }
}

async function decline(id: string, { api, signal }: ToolContext): Promise<void> {
  await api.post(`${personPath(id)}/finish`, { result: 'failed' }, signal)
}

function personPath(id: string): string {
  return `/v2/people/${encodeURIComponent(id)}`
}

/** Shows the links of the waiting pages of a job to the user. */
export interface JobLinks {
  /** The job that an earlier call with the same link has started. */
  readonly job: string | undefined
  /** True if the pages of the job may wait for the user. */
  readonly canWait: boolean
  /** Throws a `UserLink` if pages of the job wait for a link that the user has not seen. */
  check(job: string): Promise<void>
}

/** Returns the links of a job with these pages. Ends the request to the user that the user has declined. */
export async function linksOfJob({ url, profile }: WantedPage, context: ToolContext): Promise<JobLinks> {
  const { links, api, signal } = context
  const [person, job] = (links?.last?.state ?? '').split('/')
  if (links?.last && person && !links.last.isAccepted) await decline(person, context).catch(() => undefined)
  const list = async () => (await api.get<{ requests: readonly PersonRequest[] }>('/v2/people', signal)).requests
  const { host } = new URL(url)
  const canWait = links !== undefined && profile !== undefined && (await list().catch(() => undefined)) !== undefined
  let checkedAt = 0
  return {
    job,
    canWait,
    check: async (id) => {
      if (!canWait || performance.now() - checkedAt < 4 * pollInterval) return
      checkedAt = performance.now()
      const isOfJob = (one: PersonRequest): boolean =>
        one.status === 'waiting' && one.profile === profile && (one.jobId === id || URL.parse(one.url)?.host === host)
      const found = (await list()).find((one) => isOfJob(one) && one.id !== person)
      if (found?.link) throw new UserLink({ url: found.link, host, state: `${found.id}/${id}` })
    },
  }
}
