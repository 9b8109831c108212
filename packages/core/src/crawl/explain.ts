import { nextTurn } from '@harvestman/toolbox/next-turn'
import type { ErrorCode } from '@harvestman/ports'
import type { EndedFact, Fact, Opening } from '../jobs/log/facts.ts'
import type { CrawlRequest } from '../schema/crawl.ts'
import { normaliseUrl, similarKey } from '@harvestman/site'
import { crawlNoteOf } from './notes.ts'
import { reasons, type Reason } from './reasons.ts'

/** Outcome of a URL that a crawl found, and the reason. */
export interface ExplainedUrl {
  readonly url: string
  readonly outcome: 'visited' | 'failed' | 'waiting' | 'left'
  /** Reason why the URL was skipped. */
  readonly reason?: Reason
  /** Error code if the visit failed. */
  readonly code?: ErrorCode
  readonly sentence: string
  /** Page with the link to this URL. Absent for the start and for URLs from sitemaps. */
  readonly foundOn?: string
  /** Number of links from the start, if the URL was accepted. */
  readonly depth?: number
}

/** Filters for the URLs to explain. */
export interface ExplainOptions {
  /** Limits the result to this URL and URLs that count as the same page. */
  readonly url?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** URLs without a visit that are explained in one turn of the event loop, in a few milliseconds. */
const urlsInTurn = 2_000

type Origin = Pick<ExplainedUrl, 'url' | 'depth' | 'foundOn'>
type Facts = AsyncIterable<Fact>

/**
 * Yields each URL of a crawl once, with the decision about it: URLs without a visit last, all others in the order in which they
 * were decided. With `url`, yields only URLs that count as the same page, or nothing if it is not in the crawl. Throws the
 * signal's reason when `signal` is aborted.
 */
export async function* explain(facts: Facts, { url, signal }: ExplainOptions = {}): AsyncGenerator<ExplainedUrl> {
  const teller = makeTeller()
  let isWanted: (found: string) => boolean = () => true
  for await (const fact of facts) {
    signal?.throwIfAborted()
    if (fact.is === 'opened' && url !== undefined) isWanted = sameAs(url, fact.opening)
    for (const explained of teller.tell(fact)) if (isWanted(explained.url)) yield explained
  }
  let count = 0
  for (const explained of teller.rest()) {
    if (isWanted(explained.url)) yield explained
    count += 1
    if (count % urlsInTurn === 0) await nextTurn()
  }
}

function makeTeller() {
  /** Accepted URLs without an outcome yet, by number. */
  const open = new Map<number, Origin>()
  /** URLs that were accepted and dropped later. The note with them has the reason. */
  const dropped = new Map<string, Origin>()
  let found = 0
  let end: Rest = endings.running

  const settle = (task: number): Origin | undefined => {
    const origin = open.get(task)
    open.delete(task)
    return origin
  }
  const tellNote = (fact: Fact): ExplainedUrl[] => {
    const note = crawlNoteOf(fact)
    const on = note.on === undefined ? {} : { foundOn: note.on }
    for (const [url, , depth] of note.found ?? []) open.set(found++, { url, depth, ...on })
    return (note.left ?? []).map(([url, reason, sentence = reasons[reason]]) => {
      const origin = dropped.get(url) ?? { url, ...on }
      dropped.delete(url)
      return { ...origin, outcome: 'left', reason, sentence }
    })
  }

  return {
    tell: (fact: Fact): ExplainedUrl[] => {
      if (fact.is === 'ended') end = restOf(fact)
      if (fact.is === 'reopened') end = endings.running
      if (fact.is !== 'page' && fact.is !== 'failed' && fact.is !== 'dropped') return tellNote(fact)
      const origin = settle(fact.task)
      if (!origin) return []
      if (fact.is === 'page') return [{ ...origin, outcome: 'visited', sentence: 'It was visited.' }]
      if (fact.is === 'failed') return [{ ...origin, outcome: 'failed', code: fact.code, sentence: fact.message }]
      dropped.set(origin.url, origin)
      return []
    },
    *rest(): Generator<ExplainedUrl> {
      for (const origin of open.values()) yield { ...origin, ...end }
    },
  }
}

/** Outcome of the URLs that were never visited. */
type Rest = Pick<ExplainedUrl, 'outcome' | 'reason' | 'sentence'>

const endings = {
  running: { outcome: 'waiting', sentence: 'It is waiting in the queue.' },
  limit: { outcome: 'left', reason: 'LIMIT', sentence: reasons.LIMIT },
  ended: { outcome: 'left', reason: 'ENDED', sentence: reasons.ENDED },
} as const satisfies Record<string, Rest>

/** Returns the outcome of unvisited URLs. A completed crawl with cancelled pages has reached `maxCredits`, else its limit. */
function restOf({ status, cancelled, message }: EndedFact): Rest {
  if (status === 'completed' && cancelled === 0) return endings.limit
  return message === undefined ? endings.ended : { ...endings.ended, sentence: message }
}

function sameAs(wanted: string, { request }: Opening): (url: string) => boolean {
  const options = request as CrawlRequest
  const keyOf = (url: string): string => {
    const normal = normaliseUrl(url, options) ?? url
    return options.deduplicateSimilarURLs ? similarKey(normal) : normal
  }
  const key = keyOf(wanted)
  return (url) => url === wanted || keyOf(url) === key
}
