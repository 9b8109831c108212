import type { RequestGate } from '../gates/open-gates.ts'
import type { TeamCall } from '../plugin/admission.ts'
import type { TeamThreats } from '../threats/team-policy.ts'
import { noteRequest } from './requests.ts'
import { someTeam } from './some-team.ts'
import type { UncheckedApi } from './types.ts'

/** Names of requests in the activity log, where they differ from the name of their kind. */
const endpoints: Readonly<Record<string, string>> = { batch: 'batch_scrape' }

/**
 * Wraps an API to apply the threat protection of teams to all requests that load pages, so not to `parse`. Requests that a
 * policy does not allow reject with `policy_denied` and are noted. Also rejects if the call is invalid, the engine is closed or
 * the store fails.
 */
export function withTeamThreats(api: UncheckedApi, threats: TeamThreats, gate: RequestGate): UncheckedApi {
  type Calling = TeamCall & { readonly apiVersion?: string | undefined }
  const merge = async (kind: string, request: unknown, call: Calling): Promise<unknown> => {
    const { team = someTeam, key, apiVersion } = call
    gate.check({ ...call, team })
    try {
      return await threats.merge(team, request, kind)
    } catch (error) {
      noteRequest(gate, endpoints[kind] ?? kind, request, { team, key, apiVersion }).refused(error)
      throw error
    }
  }
  const withPolicy =
    <Call extends Calling, Result>(kind: string, open: (request: unknown, call?: Call) => Promise<Result>) =>
    async (request: unknown, call?: Call): Promise<Result> =>
      open(await merge(kind, request, call ?? {}), call)
  return {
    ...api,
    scrape: withPolicy('scrape', api.scrape),
    map: withPolicy('map', api.map),
    search: withPolicy('search', api.search),
    crawl: withPolicy('crawl', api.crawl),
    batch: withPolicy('batch', api.batch),
    start: async (kind, request, call) => api.start(kind, await merge(kind, request, call ?? {}), call),
  }
}
