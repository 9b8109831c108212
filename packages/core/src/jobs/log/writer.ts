import { type Clock, EngineError } from '@harvestman/ports'
import { free } from '@harvestman/ports/adapters'
import type { Log, NewSegment } from '@harvestman/coordination'
import { isDamagedRecord } from '@harvestman/coordination'
import { isTooLarge } from './refusals.ts'
import { toSegment, type Entry } from './facts.ts'

/** Writes the log of one job, until another engine does. */
export interface Writer {
  /**
   * Keeps entries that belong together: after a crash either all of them are there, or none. Resolves when they are. Rejects
   * when the generation of the store is not `since`: rows and files that the work on the entries has written may be lost then.
   */
  add(entries: readonly Entry[], since?: number): Promise<void>
  /** Begins a new segment: entries added from now on are not in one with those added before. */
  cut(): void
  /** Keeps what waits, and takes nothing more. */
  close(): Promise<void>
}

export interface WriterOptions {
  readonly log: Log
  /** The name of this writer: another one each time a job is taken up. */
  readonly by: string
  /** The first place that is not taken. */
  readonly place: number
  /** The writer of the segment before it. */
  readonly after?: string | undefined
  readonly clock: Clock
  /** Returns the generation of the store, where it has one. */
  readonly generation?: () => number | undefined
  /** Is told of each segment when it is kept. */
  readonly kept: (entries: readonly Entry[]) => void
  /** Is told when the store does not take it; it is asked again until it does, or says that it never will. */
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

// A segment is about this large, unless one document is larger.
const segmentBytes = 1_000_000
/** Entries that come within this time share a segment, in milliseconds. */
const gathering = 10
/** Milliseconds until a store that did not take a segment is asked again: a job goes on soon after it is back. */
const rests = { first: 100, most: 1_000 }
/** Milliseconds that a run that closes waits for its last segment. */
const closesWithin = 5_000

export function openWriter(options: WriterOptions): Writer {
  const { by, kept } = options
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
      kept(entries)
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
        // All that wait were told. Nothing can be added any more.
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
      // Entries that the store does not take now are made again where the job is taken up.
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

/** Repeats a call until the store responds: finished work is not lost because a store is away. */
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

/** Smaller segments in place of one: a segment for each of the entries that belong together; then one without its documents. */
function divide(batch: readonly Waiting[], error: EngineError): readonly (readonly Waiting[])[] {
  const [first, ...more] = batch
  if (!first) return []
  if (more.length > 0) return batch.map((one) => [one])
  if (!first.entries.some(({ document }) => document)) return []
  return [[{ ...first, entries: first.entries.map((entry) => withoutDocument(entry, error)) }]]
}

/** The page counts as failed, and says why. */
function withoutDocument({ fact, document }: Entry, { code, message }: EngineError): Entry {
  if (fact.is !== 'page' || !document) return { fact }
  const { at, task, id, url, bytes } = fact
  const why = `The store does not take a document of ${bytes} bytes. ${message}`
  return { fact: { is: 'failed', at, task, id, url, code, message: why } }
}

const [supersededCode, movedCode] = [Symbol('superseded'), Symbol('moved')]

function superseded(): Error {
  return Object.assign(new Error('Another engine has taken over the job.'), { [supersededCode]: true })
}

function moved(): Error {
  return Object.assign(new Error('The store has moved to another server.'), { [movedCode]: true })
}

/** True when another run continues the job, here or elsewhere: nothing is wrong, and this one has nothing left to do. */
export function isSuperseded(error: unknown): boolean {
  return error === undefined || (error instanceof Error && (supersededCode in error || movedCode in error))
}

/** True when the store has moved to another server, which may lack rows and files of the pages. */
export function isMoved(error: unknown): boolean {
  return error instanceof Error && movedCode in error
}
