import { retryAfter } from '@harvestman/ports/adapters'
import type { HostAnswer } from '@harvestman/schedule'
import type { SeenVisit } from '../../scrape/visit.ts'

/** Answer of the host that was asked for a page, by the visit of it. A kept copy says nothing. */
export function hostAnswer(
  asked: string,
  { page, cacheState }: Pick<SeenVisit, 'page' | 'cacheState'>,
  now: number,
): HostAnswer {
  if (cacheState === 'hit') return {}
  const { url, status, headers, latency } = page
  // The latency after a redirect that leads away is that of the other host.
  const isOwn = URL.parse(url)?.host === URL.parse(asked)?.host
  return { status, retryAfter: retryAfter(headers['retry-after'], now), latency: isOwn ? latency : undefined }
}
