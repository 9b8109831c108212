import { retryAfter } from '@harvestman/ports/adapters'
import type { HostAnswer } from '@harvestman/schedule'
import type { SeenVisit } from '../../scrape/visit.ts'

/** What a page says of the host that was asked for it. A kept copy says nothing. */
export function hostAnswer(
  asked: string,
  { page, cacheState }: Pick<SeenVisit, 'page' | 'cacheState'>,
  now: number,
): HostAnswer {
  if (cacheState === 'hit') return {}
  const { url, status, headers, latency } = page
  // Of a redirect that leads away, it is known only how long the other host took.
  const isOwn = URL.parse(url)?.host === URL.parse(asked)?.host
  return { status, retryAfter: retryAfter(headers['retry-after'], now), latency: isOwn ? latency : undefined }
}
