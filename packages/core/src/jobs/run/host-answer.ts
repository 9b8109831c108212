import { retryAfter } from '@harvestman/toolbox/retry-after'
import type { HostAnswer } from '@harvestman/schedule'
import type { SeenVisit } from '../../scrape/visit.ts'

/**
 * Extracts the host's status, `Retry-After` and latency, in milliseconds, from a visit. Empty for a cached page; no latency
 * after a redirect to another host. `now` is in milliseconds since 1970.
 */
export function hostAnswer(
  requestedUrl: string,
  { page, cacheState }: Pick<SeenVisit, 'page' | 'cacheState'>,
  now: number,
): HostAnswer {
  if (cacheState === 'hit') return {}
  const { url, status, headers, latency } = page
  // After a redirect to another host, the latency belongs to the other host.
  const isOwn = URL.parse(url)?.host === URL.parse(requestedUrl)?.host
  return { status, retryAfter: retryAfter(headers['retry-after'], now), latency: isOwn ? latency : undefined }
}
