import { hash } from 'node:crypto'

import { EngineError, type Json } from '@harvestman/ports'
import { nextTurn } from '@harvestman/toolbox/next-turn'
import type { AnyDocument } from '../scrape/document.ts'
import { errorOf, eventOf, parseDocument, parseEventId, robotsBlockedUrls } from './log/events.ts'
import type { Segment } from '@harvestman/coordination'
import { documentReader } from './log/documents.ts'
import { factsOf, type Opening } from './log/facts.ts'
import type {
  Job,
  JobError,
  JobErrors,
  JobEvent,
  JobPage,
  JobRows,
  JobStatus,
  PageRange,
  RowRange,
  WebhookState,
} from './handle.ts'
import { readSlice } from './log/read-documents.ts'
import { withCommas } from './log/with-commas.ts'
import { readRows } from './log/read-rows.ts'
import type { JobView } from './log/view.ts'
import { statusOf } from './log/checkpoint.ts'

export interface HandleParts {
  /** Rejects with `not_found` if the job no longer exists. */
  view(): Promise<JobView>
  request(): Promise<Json>
  cancel(): Promise<boolean>
  webhook(): Promise<WebhookState>
  redeliver(): Promise<number>
  /** Aborts when the engine is closed. */
  readonly closed: AbortSignal
}

interface Until {
  readonly signal?: AbortSignal | undefined
}

// Small enough to have several in memory, large enough to keep reads efficient.
const readBytes = 2_000_000
/** Number of segments read at once for the list of errors. Each may have 1 MB, with its documents. */
const errorsAtOnce = 8

/**
 * Creates the handle of a job. Its methods reject with `not_found` once the job has expired. `documents`, `events` and `page`
 * reject with `store_failed` if the store has lost what they read of an ended job.
 */
export function makeHandle(
  { id, kind }: Pick<Opening, 'id' | 'kind'>,
  { view, request, cancel, webhook, redeliver, closed }: HandleParts,
): Job {
  const views = ({ signal }: Until): AsyncGenerator<JobView> =>
    viewsOf(view, signal ? AbortSignal.any([signal, closed]) : closed)

  const untilMore = async (skip: number, wait: number, signal?: AbortSignal): Promise<JobView> => {
    const late = AbortSignal.timeout(wait)
    let last = await view()
    try {
      for await (const now of views({ signal: signal ? AbortSignal.any([late, signal]) : late })) {
        last = now
        if (now.index.size > skip || now.damage) break
      }
    } catch (error) {
      if (!late.aborted) throw error
    }
    return last
  }

  const page = async ({ skip, limit, maxBytes, wait = 0, signal }: PageRange): Promise<JobPage> => {
    const now = wait > 0 ? await untilMore(skip, wait, signal) : await view()
    const status = statusOf(now)
    const { documents, free } = await readSlice(now.storage.log, now.index, { skip, limit, maxBytes })
    if (documents.length === 0 && skip < now.index.size) await checkIsWhole(view, skip)
    const next = skip + documents.length
    const hasMore = status.status === 'scraping' || next < now.index.size
    return { status, documents: withCommas(documents), count: documents.length, ...(hasMore && { next }), free }
  }

  const rows = async (range: RowRange): Promise<JobRows> => {
    const now = await view()
    // The rows are limited to the segments of this view, so they match its counts.
    return { status: statusOf(now), ...(await readRows(now.storage.log, now.places, range)) }
  }

  const status = async (): Promise<JobStatus> => statusOf(await view())

  const end = async (until: Until = {}): Promise<JobStatus> => {
    for await (const now of views(until)) if (isOver(now)) return statusOf(now)
    return status()
  }

  return {
    id,
    kind,
    status,
    documents: ({ skip = 0, ...until } = {}) => documentsIn(() => views(until), skip, view),
    events: ({ after, ...until } = {}) => eventsIn(() => views(until), after, view),
    page,
    errors: async () => errorsIn(await view()),
    rows,
    request,
    cancel,
    webhook,
    redeliver,
    end,
  }
}

/** Yields a view of the job now and whenever it may have changed, until it has ended. */
async function* viewsOf(view: HandleParts['view'], signal: AbortSignal): AsyncGenerator<JobView> {
  for (;;) {
    signal.throwIfAborted()
    const now = await view()
    // Both are evaluated before the consumer reads anything, so that no change in the meantime is missed.
    const isLast = isOver(now)
    const changed = now.changed(signal)
    changed.catch(() => undefined)
    yield now
    if (isLast) return
    if (now.damage) throw now.damage
    await changed
  }
}

async function errorsIn({ storage, failures }: JobView): Promise<JobErrors> {
  const found = { errors: [] as JobError[], robotsBlocked: [] as string[] }
  for await (const places of failures()) {
    for (let start = 0; start < places.length; start += errorsAtOnce) {
      for (const segment of await storage.log.readMany(places.slice(start, start + errorsAtOnce))) {
        const facts = segment ? factsOf(segment) : []
        found.errors.push(...facts.flatMap(errorOf))
        found.robotsBlocked.push(...facts.flatMap(robotsBlockedUrls))
        segment?.free()
      }
    }
  }
  return found
}

/**
 * Yields each document once. A store put back to an earlier state loses documents that the caller has already received, and
 * their pages may finish in another order the second time. Documents skipped because of that are yielded when the job ends. A
 * job that had ended may run again.
 */
async function* documentsIn(
  views: () => AsyncIterable<JobView>,
  skip: number,
  view: HandleParts['view'],
): AsyncGenerator<AnyDocument> {
  const read = new Set<number>()
  let next = skip
  for (let isWhole = false; !isWhole;) {
    let last: JobView | undefined
    for await (const now of views()) {
      last = now
      while (next < now.index.size) {
        const found = yield* unreadFrom(now, next, read)
        // An unreadable document must not look like the end of the job.
        if (found === 0) await checkIsWhole(view, next)
        if (found === 0) break
        next += found
        // A local store responds in the same turn of the event loop.
        await nextTurn()
      }
    }
    isWhole = !last || read.size >= last.index.size - skip || (yield* skippedIn(last, skip, read, view))
  }
}

/** Yields the documents of an ended job that were not read. Returns `false` if not all can be read, as the job runs again. */
async function* skippedIn(
  last: JobView,
  skip: number,
  read: Set<number>,
  view: HandleParts['view'],
): AsyncGenerator<AnyDocument, boolean> {
  for (let from = skip; from < last.index.size;) {
    const found = yield* unreadFrom(last, from, read)
    if (found === 0) await checkIsWhole(view, from)
    if (found === 0) return false
    from += found
  }
  return true
}

/** Yields the new documents of one slice of the log and returns the size of the slice. */
async function* unreadFrom(
  { storage, index }: JobView,
  skip: number,
  read: Set<number>,
): AsyncGenerator<AnyDocument, number> {
  const { documents, free } = await readSlice(storage.log, index, { skip, limit: 1000, maxBytes: readBytes })
  const { length } = documents
  try {
    for (const bytes of documents) {
      const document = parseDocument(bytes)
      const id = keyOf(document)
      if (read.has(id)) continue
      read.add(id)
      yield document
    }
  } finally {
    // Also if the caller stops reading.
    free()
  }
  return length
}

/** Returns a 48-bit hash that identifies a document within its job. */
function keyOf({ metadata: { scrapeId, sourceURL } }: AnyDocument): number {
  return Number.parseInt(hash('sha256', `${scrapeId} ${sourceURL}`, 'hex').slice(0, 12), 16)
}

async function* eventsIn(
  views: () => AsyncIterable<JobView>,
  after: string | undefined,
  view: HandleParts['view'],
): AsyncGenerator<JobEvent> {
  let { place, index } = parseEventId(after)
  for (let isWhole = false; !isWhole;) {
    for await (const now of views()) {
      // The store was put back to an earlier state: later events are new.
      if (now.places < place) [place, index] = [now.places, -1]
      for (; place < now.places; place += 1, index = -1) {
        const segment = await now.storage.log.read(place)
        if (!segment) {
          await checkHasEvents(view, place)
          break
        }
        yield* eventsOf(now, segment, place, index)
      }
      isWhole = place >= now.places
    }
  }
}

/** Yields the events of a segment after the one at `index`, and frees the segment. */
async function* eventsOf(now: JobView, segment: Segment, place: number, index: number): AsyncGenerator<JobEvent> {
  const reader = documentReader(now.storage.log)
  try {
    const documents = (await reader.of(segment)).values()
    for (const [at, fact] of factsOf(segment).entries()) {
      const document = fact.is === 'page' ? documents.next().value?.bytes : undefined
      const event = at > index ? eventOf(fact, { id: `${place}-${at}`, status: statusOf(now), document }) : undefined
      if (event) yield event
    }
  } finally {
    // Also if the caller stops reading.
    reader.free()
    segment.free()
  }
  // A local store responds in the same turn of the event loop.
  await nextTurn()
}

/**
 * Rejects if an ended job has documents that cannot be read: with `not_found` if it has expired in the meantime, otherwise with
 * `store_failed`. A running job loads lost pages again.
 */
async function checkIsWhole(view: HandleParts['view'], skip = 0): Promise<void> {
  const now = await view()
  if (!isOver(now)) return
  const { documents, free } = await readSlice(now.storage.log, now.index, { skip, limit: 1, maxBytes: 1 })
  free()
  if (documents.length > 0 || skip >= now.index.size) return
  const lost = now.index.size - skip
  const message = `The store has lost ${lost} of the ${now.index.size} pages of this job: it was reset to an earlier state. Start the job again.`
  throw new EngineError('store_failed', message, { details: { reason: 'damaged', lost, readable: skip } })
}

async function checkHasEvents(view: HandleParts['view'], place: number): Promise<void> {
  const now = await view()
  if (!isOver(now) || place >= now.places || (await now.storage.log.read(place))) return
  const message = `The store has lost the events of this job from ${place}-0 on: it was reset to an earlier state. Start the job again.`
  throw new EngineError('store_failed', message, { details: { reason: 'damaged' } })
}

function isOver({ tally }: Pick<JobView, 'tally'>): boolean {
  return tally.status !== 'scraping'
}
