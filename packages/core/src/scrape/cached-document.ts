// Cache of whole documents for repeated requests. A document is returned as long as its page is in the page cache.
import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { payFor } from '../credits/hold.ts'
import type { ScrapeContext } from './context.ts'
import type { Deadline } from './deadline.ts'
import type { AnyDocument, Draft } from './document.ts'
import type { CachedDocument, DocumentSlot } from './made.ts'
import type { Scraped } from './scraped.ts'
import { replayOf, applySettlement } from './settle.ts'
import { reportEvent, timeStep } from './report-event.ts'

export interface DocumentCache {
  /** Finds the slot of a request; `undefined` for requests that are not plain JSON or too long. */
  slot(team: string, input: unknown): DocumentSlot | undefined
}

/** Estimated size of a plan and a request in bytes. */
const planBytes = 4_000

/**
 * Creates a cache with a maximum size in bytes. `slot` returns `undefined` for a request that is not plain JSON or has more
 * than 4,096 characters. Callers must not change the documents.
 */
export function makeDocumentCache(limit: number): DocumentCache {
  const documents = recentlyUsed<string, CachedDocument>(limit, { sizeOf: ({ bytes }) => bytes + planBytes })
  return {
    slot: (team, input) => {
      if (!isPlainJson(input, 0)) return undefined
      const key = JSON.stringify([team, input])
      if (key.length > maxKey) return undefined
      return { cached: documents.get(key), set: (cached) => documents.set(key, withoutEncoded(cached)) }
    },
  }
}

// Number of characters that are serialized in about a millisecond.
const maxPrinted = 65_536

/** Decodes the values of a small document: serializing it at once is faster than joining chunks. */
function withoutEncoded(cached: CachedDocument): CachedDocument {
  if (cached.bytes > maxPrinted) return cached
  return { ...cached, document: JSON.parse(JSON.stringify(cached.document)) as Draft }
}

const maxKey = 4_096
const maxDepth = 20

/** Returns whether a value survives JSON serialization unchanged. */
function isPlainJson(value: unknown, depth: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth > maxDepth) return false
  if (Array.isArray(value))
    return value.length <= maxKey && Array.from(value).every((one) => isPlainJson(one, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  return Object.values(value).every((one) => isPlainJson(one, depth + 1))
}

/**
 * Returns the cached document under the id of this scrape if its page is still in the page cache, and charges, reports and
 * stores it like any result. Returns `undefined` and has no side effects if the page must be read again. Rejects as a scrape
 * does.
 */
export async function repeatDocument(
  context: ScrapeContext,
  cached: CachedDocument,
  { race }: Deadline,
): Promise<Scraped | undefined> {
  const { plan, caller, kit, hold, time } = context
  const { version, document: draft } = cached
  const { read } = plan.cache
  // Policies and plugins must decide about the page each time.
  if (!read || kit.mayVisit || kit.policies.areAny || kit.plugins.open()) return undefined
  const began = kit.clock.now()
  const visit = await race(kit.cache.findVersion(version, read))
  if (!visit) return undefined
  const { creditsUsed } = draft.metadata
  const most = Math.max(creditsUsed, plan.pricing.atMost(plan))
  return payFor({ hold, most, price: () => creditsUsed, race, begun: caller.begun }, async () => {
    time.check()
    reportEvent({ kind: 'scrape.step', step: 'load', ms: kit.clock.now() - began }, context)
    reportEvent({ kind: 'scrape.step', step: 'derive', ms: 0 }, context)
    // Cast: a document with files is never cached.
    const document = { ...draft, metadata: { ...draft.metadata, scrapeId: caller.id } } as AnyDocument
    reportEvent({ kind: 'scrape.step', step: 'assemble', ms: 0 }, context)
    const settlement = { mayKeep: plan.mayKeep, outcome: { document, replay: replayOf(plan, kit) } }
    await timeStep('settle', context, () => applySettlement(settlement, caller, kit))
    return { document, visit, values: {} }
  })
}
