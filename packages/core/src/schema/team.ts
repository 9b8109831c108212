/** Parts of the API that a key may be held to, and that limits are given for. Each kind of job, and what a feature can be asked, is in one too. */
export const endpointGroups = ['scrape', 'parse', 'map', 'crawl', 'batch', 'search', 'team', 'files'] as const

/** Endpoints of core itself, as the activity names them. */
export const activityEndpoints = ['scrape', 'crawl', 'batch_scrape', 'search', 'map'] as const

/** The name of a group of endpoints. */
export type EndpointGroup = (typeof endpointGroups)[number] | (string & {})

/** Group that requests a minute are counted by: an endpoint group, or `status`, which clients poll again and again. */
export type RateGroup = EndpointGroup | 'status'

/** The group of a kind of job, which is its name in paths as well. */
export function endpointOf(kind: string): string {
  return kind.replaceAll('_', '-')
}

/** Limits of a team, or of one of its keys. */
export interface TeamLimits {
  /** Requests a minute, by group. Core counts none: a gate does. */
  readonly requestsPerMinute?: Readonly<Record<string, number>> | undefined
  /** Pages that are loaded at once, by requests and by jobs; the others wait. */
  readonly concurrency?: number | undefined
  /** Requests that may wait for their turn; more are refused. */
  readonly queue?: number | undefined
  /** Live browsers at once. */
  readonly browsers?: number | undefined
}

/** Scopes of a key. Whatever is not named is open to it. */
export interface KeyScopes {
  /** Groups of endpoints that it may call; all when absent. */
  readonly groups?: readonly string[] | undefined
  /** Formats that it may ask for; all when absent. */
  readonly formats?: readonly string[] | undefined
}
