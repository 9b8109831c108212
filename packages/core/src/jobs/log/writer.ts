import { type Clock, EngineError, publicMessage } from '@harvestman/ports'
import { free } from '@harvestman/ports/values'
import type { Log, NewSegment } from '@harvestman/coordination'
import { isDamagedRecord } from '@harvestman/coordination'
import { isTooLarge } from './refusals.ts'
import { toSegment, type Entry } from './facts.ts'

/** Writes the log of one job, until another engine takes over. */
export interface Writer {
  /**
   * Stores entries atomically: after a crash either all of them exist or none. Resolves when they are stored. Rejects if the
   * store's generation is no longer `since`, because rows and files written together with the entries may then be lost.
   */
  add(entries: readonly Entry[], since?: number): Promise<void>
  /** Starts a new segment: entries added from now on are not in the same segment as earlier ones. */
  cut(): void
  /** Stores the pending entries and accepts no more. */
  close(): Promise<void>
}

export interface WriterOptions {
  readonly log: Log
  /** Name of this writer, different for each run of the job. */
  readonly by: string
  /** First free position of the log. */
  readonly place: number
  /** Writer of the last segment. */
  readonly after?: string | undefined
  readonly clock: Clock
  /** Returns the store's generation, if the store reports one. */
  readonly generation?: () => number | undefined
  /** Called with the entries of each segment once it is stored. */
  readonly stored: (entries: readonly Entry[]) => void
  /** Called when the store fails to write. Writing is retried until it succeeds or the error is permanent. */
  readonly troubled: (error: unknown) => void
}

interface Waiting {
  readonly entries: readonly Entry[]
  readonly bytes: number
  readonly since: number | undefined
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  endsSegment?: boolean
}

// Target size of a segment in bytes. A larger document gets a segment of its own.
const segmentBytes = 1_000_000
/** Milliseconds for which entries are collected into one segment. */
const gathering = 10
/**
 * Delays in milliseconds between retries after a failed write. They are short, so that jobs resume soon after the store is
 * back.
 */
const rests = { first: 100, most: 1_000 }
/** Milliseconds for which closing waits for the last segment. */
const closesWithin = 5_000

/**
 * Opens a writer that appends segments from `place` on. A segment that is too large for the store is divided, and a page whose
 * document is too large becomes a failed page. Other failures are retried; after a permanent one, all pending calls of `add`
 * reject, and nothing more is accepted. `close` stops retrying after 5 seconds.
 */
export function openWriter(options: WriterOptions): Writer {
  const { by, stored } = options
  const waiting: Waiting[] = []
  const stop = new AbortController()
  let [place, after, backlog] = [options.place, options.after, 0]
  let working: Promise<void> | undefined
  let isClosed = false

  const keepBatch = async (batch: readonly Waiting[]): Promise<void> => {
    const entries = batch.flatMap((next) => next.entries)
    try {
      if (!(await append(place, toSegment(by, entries, after), batch, options, stop.signal))) throw superseded()
      ;[place, after] = [place + 1, by]
      stored(entries)
      for (const { document = [] } of entries) document.forEach(free)
      for (const { bytes, resolve } of batch) {
        backlog -= bytes
        resolve()
      }
    } catch (error) {
      const smaller = isTooLarge(error) ? divide(batch, error) : []
      if (smaller.length > 0) {
        for (const part of smaller) await keepBatch(part)
        return
      }
      for (const { reject } of [...batch, ...waiting.splice(0)]) reject(error)
      throw error
    }
  }
  const work = async (): Promise<void> => {
    if (backlog < segmentBytes && !isClosed) await new Promise((go) => setTimeout(go, gathering))
    while (waiting.length > 0) await keepBatch(takeSegment(waiting))
  }
  const start = (): void => {
    working ??= work()
      .catch(() => {
        // All pending calls were rejected. Nothing can be added any more.
        isClosed = true
      })
      .finally(() => {
        working = undefined
        if (waiting.length > 0 && !isClosed) start()
      })
  }

  return {
    add: (entries, since) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(superseded())
        const bytes = entries.reduce((sum, { fact }) => sum + (fact.is === 'page' ? fact.bytes : 0), 0)
        backlog += bytes
        waiting.push({ entries, bytes, since, resolve, reject })
        start()
      }),
    cut: () => Object.assign(waiting.at(-1) ?? {}, { endsSegment: true }),
    close: async () => {
      isClosed = true
      // Entries that cannot be stored in time are produced again by the next run of the job.
      const timer = setTimeout(() => stop.abort(new EngineError('closed', 'The engine was closed.')), closesWithin)
      await working
      clearTimeout(timer)
    },
  }
}

function takeSegment(waiting: Waiting[]): Waiting[] {
  let bytes = 0
  const length = waiting.findIndex(({ bytes: more, endsSegment }) => (bytes += more) >= segmentBytes || endsSegment) + 1
  return waiting.splice(0, length > 0 ? length : waiting.length)
}

/** Appends a segment, unless the store has moved to another server since the work on some of its entries began. */
async function append(
  place: number,
  segment: NewSegment,
  batch: readonly Waiting[],
  options: WriterOptions,
  stop: AbortSignal,
): Promise<boolean> {
  const { log, by, generation } = options
  const checkServer = (): void => {
    if (batch.some(({ since }) => since !== undefined && since !== generation?.())) throw moved()
  }
  let isAgain = false
  const isOurs = await untilAnswered(options, stop, async () => {
    // A read waits for the connection, after which the generation is known.
    if (isAgain) (await log.read(place))?.free()
    isAgain = true
    checkServer()
    return log.append(place, segment)
  })
  try {
    checkServer()
  } catch (error) {
    await untilAnswered(options, stop, () => log.cut(place, place + 1, by))
    throw error
  }
  return isOurs
}

/** Retries a call until the store responds, so that finished work is not lost while a store is away. */
async function untilAnswered<T>(
  { clock, troubled }: WriterOptions,
  stop: AbortSignal,
  call: () => Promise<T>,
): Promise<T> {
  for (let rest = rests.first; ; rest = Math.min(rest * 2, rests.most)) {
    try {
      return await call()
    } catch (error) {
      if (stop.aborted || isTooLarge(error) || isDamagedRecord(error) || isClosed(error) || isMoved(error)) throw error
      troubled(error)
    }
    await clock.sleep(rest, stop)
  }
}

function isClosed(error: unknown): boolean {
  return EngineError.is(error) && error.code === 'closed'
}

/** Splits a segment that is too large: one segment per group of entries; a single group is stored without its documents. */
function divide(batch: readonly Waiting[], error: EngineError): readonly (readonly Waiting[])[] {
  const [first, ...more] = batch
  if (!first) return []
  if (more.length > 0) return batch.map((one) => [one])
  if (!first.entries.some(({ document }) => document)) return []
  return [[{ ...first, entries: first.entries.map((entry) => withoutDocument(entry, error)) }]]
}

/** Turns a page whose document cannot be stored into a failed page. */
function withoutDocument({ fact, document }: Entry, error: EngineError): Entry {
  if (fact.is !== 'page' || !document) return { fact }
  const { at, task, id, url, bytes } = fact
  const why = `The store rejected a document of ${bytes} bytes. ${publicMessage(error)}`
  return { fact: { is: 'failed', at, task, id, url, code: error.code, message: why } }
}

const [supersededCode, movedCode] = [Symbol('superseded'), Symbol('moved')]

function superseded(): Error {
  return Object.assign(new Error('Another engine has taken over the job.'), { [supersededCode]: true })
}

function moved(): Error {
  return Object.assign(new Error('The store has moved to another server.'), { [movedCode]: true })
}

/**
 * Returns whether another run continues the job, here or elsewhere. Not a failure: this run has nothing left to do. True if
 * there is no error.
 */
export function isSuperseded(error: unknown): boolean {
  return error === undefined || (error instanceof Error && (supersededCode in error || movedCode in error))
}

/** Returns whether an error means that the store has moved to another server, which may lack rows and files of the pages. */
export function isMoved(error: unknown): boolean {
  return error instanceof Error && movedCode in error
}
