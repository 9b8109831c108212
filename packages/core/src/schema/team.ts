/**
 * Groups of endpoints for limits and key scopes. Each kind of job and each feature with endpoints belongs to a group as well.
 */
export const endpointGroups = ['scrape', 'parse', 'map', 'crawl', 'batch', 'search', 'team', 'files'] as const

/** Names of core's endpoints in the activity log. */
export const activityEndpoints = ['scrape', 'crawl', 'batch_scrape', 'search', 'map'] as const

/** Name of a group of endpoints. */
export type EndpointGroup = (typeof endpointGroups)[number] | (string & {})

/** Group for the rate limit: an endpoint group, or `status` for the reads that clients poll. */
export type RateGroup = EndpointGroup | 'status'

/** Returns the endpoint group of a kind of job, which is also its name in paths: `deep_research` becomes `deep-research`. */
export function endpointOf(kind: string): string {
  return kind.replaceAll('_', '-')
}

/** Limits of a team, or of one of its keys. */
export interface TeamLimits {
  /** Requests per minute, by group. Core does not count requests: a gate must enforce this. */
  readonly requestsPerMinute?: Readonly<Record<string, number>> | undefined
  /** Maximum number of pages loaded concurrently, by requests and jobs together. Further pages wait. */
  readonly concurrency?: number | undefined
  /** Maximum number of waiting requests. Further requests are rejected. */
  readonly queue?: number | undefined
  /** Maximum number of concurrent live browsers. */
  readonly browsers?: number | undefined
}

/** Restrictions of an API key. An absent property restricts nothing. */
export interface KeyScopes {
  /** Endpoint groups that it may call. Default: all. */
  readonly groups?: readonly string[] | undefined
  /** Formats that it may request. Default: all. */
  readonly formats?: readonly string[] | undefined
}
