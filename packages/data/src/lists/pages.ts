// Follows a list over several pages without a browser, by their links.
import type { DeriveContext } from '@harvestman/core/plugin'
import { EngineError, publicMessage } from '@harvestman/ports'

import { listingReading } from '../readings.ts'
import { gather, type Gathered } from './gather.ts'
import { lateAfter } from './late.ts'
import { listingSchema, type Listing } from './listing.ts'
import type { End } from './proof.ts'

export interface Bounds {
  readonly limit: number
  readonly pages: number
}

/** The collected rows and why collecting stopped. */
export interface Followed {
  readonly gathered: Gathered
  readonly end: End
  /** Error message of the next page. */
  readonly why?: string
  /** Number of pages that were read. */
  readonly pages: number
  /** URL of the next page. */
  readonly next: string | undefined
}

type Kit = Pick<DeriveContext, 'load' | 'signal' | 'clock' | 'timeLeft'>

/**
 * Collects the rows of a list from its first page until there are no more or a limit is reached. An error on a further page
 * ends collecting and is returned in `why`. Rejects only when aborted or for an internal error.
 */
export async function followPages(first: Listing, url: string, bounds: Bounds, kit: Kit): Promise<Followed> {
  const walk: Walk = { gathered: gather(bounds.limit), seen: new Set([url]), pages: 1, next: first.next }
  walk.gathered.add(first)
  const late = lateAfter(kit)
  try {
    const end = await walkOn(walk, bounds, { load: (page) => kit.load(page, late.signal) })
    return { ...walk, end }
  } catch (error) {
    if (kit.signal.aborted || !EngineError.is(error)) throw error
    return { ...walk, end: endBy(error, late.signal), why: late.signal.aborted ? '' : publicMessage(error) }
  } finally {
    late.end()
  }
}

interface Walk {
  readonly gathered: Gathered
  /** URLs of pages that were read. */
  readonly seen: Set<string>
  pages: number
  next: string | undefined
}

async function walkOn(walk: Walk, { pages, limit }: Bounds, { load }: Pick<Kit, 'load'>): Promise<End> {
  const { gathered, seen } = walk
  for (;;) {
    const { next } = walk
    if (gathered.isFull()) return gathered.size < limit ? 'size' : 'limit'
    if (next === undefined || seen.has(next) || gathered.size === gathered.total) return 'reached'
    if (walk.pages >= pages) return 'pages'
    seen.add(next)
    const page = await load({ url: next, reading: listingReading, options: gathered.known() })
    if (page.status >= 400) throw new EngineError('bad_response', `${next} answered ${page.status}.`)
    walk.pages += 1
    seen.add(page.url)
    const listing = listingSchema.parse(page.value)
    walk.next = listing.next
    if (gathered.add(listing) === 0) return 'reached'
  }
}

function endBy({ code }: EngineError, late: AbortSignal): End {
  if (late.aborted) return 'timeout'
  return code === 'insufficient_credits' ? 'credits' : 'failed'
}
