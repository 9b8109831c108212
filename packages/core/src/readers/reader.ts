import { bufferOf, free, isOwned, ownBytes, copyOfEncoded, encodedJson, isEncodedJson } from '@harvestman/ports/values'
import { joinInTurns } from '@harvestman/toolbox/join-in-turns'
import { nextTurn } from '@harvestman/toolbox/next-turn'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { threadFile } from '@harvestman/toolbox/thread-file'
import { type DocumentBound, makeThreads, workInPlace } from '@harvestman/threads'
import { EngineError, type OwnedBytes } from '@harvestman/ports'
import type { Reading } from '../scrape/readings.ts'
import type { Reader, ReadResult, ReadTask, Scope } from '../scrape/reader.ts'
import { bodyOf, isQuicklyRead } from './quickly-read.ts'
import type * as here from './read-page.ts'
import type { PageTask } from './read-page.ts'

export interface ReaderOptions {
  /** Number of threads for larger pages. */
  readonly size: number
  /** CPU time limit per page, in milliseconds. */
  readonly budget: number
  readonly megabytes: number
  /**
   * Pages of up to this many bytes and with few tags are read on the calling thread, as passing them to a thread costs more.
   */
  readonly inlineBytes: number
  /**
   * CPU time in milliseconds. If pages of a host exceed it twice in a row on the calling thread, its next ones go to a thread.
   */
  readonly inlineTime?: number
  /** Cache size for values of cached pages, in characters. */
  readonly memory: number
}

/**
 * Creates a reader that reads small pages on the calling thread and others in threads, and caches values of cached pages. In a
 * thread, a page that takes more than `budget` milliseconds of CPU time or `megabytes` of memory rejects with
 * `page_too_complex`. Default of `inlineTime`: 100.
 */
export function pageReader(options: ReaderOptions): Reader {
  const { size, budget, megabytes } = options
  const messages = {
    tooSlow: `The page could not be read within ${budget} ms. Exclude parts of it, or raise limits.readTime.`,
    tooLarge: 'Reading the page took more memory than one page may have.',
  }
  const pool = makeThreads<PageTask, ReadResult>({
    entry: threadFile(import.meta.url),
    size,
    budget,
    megabytes,
    messages,
  })
  const remembered = recentlyUsed<string, ReadResult>(options.memory, { sizeOf })
  const underWay = new Map<string, Promise<ReadResult>>()
  const readHere = readerInPlace(options)
  const read = async (task: ReadTask, signal: AbortSignal): Promise<ReadResult> => {
    const { version: _, team, ...page } = task
    const quick = await readHere(task, signal)
    const own = ownBody(task)
    if (quick) {
      if (own) free(own)
      return quick
    }
    const source = own ? task.source : await copyOf(task.source)
    const moved = ownBody({ source })
    const transfer = moved ? [bufferOf(moved)] : []
    let running = ''
    const onPart = (label: unknown): void => void (running = String(label))
    const ofThread = { ...page, source, scope: scopeOf(task.scope), wanted: task.wanted.map(forThread) }
    const work = pool.run(ofThread, signal, {
      team,
      most: ofAll(task),
      transfer,
      onPart,
    })
    const result = await work.catch((error: unknown) => {
      throw signal.aborted || running === '' ? error : errorWhile(running, error)
    })
    return asEncoded(result, task)
  }
  const readOnce = async (key: string, task: ReadTask, signal: AbortSignal): Promise<ReadResult> => {
    const known = remembered.get(key) ?? (await underWay.get(key)?.catch(() => undefined))
    if (known) return copyOfResult(known)
    const work = read(task, signal)
    underWay.set(key, work)
    try {
      const result = await work
      if (!result.failures) remembered.set(key, result)
      return copyOfResult(result)
    } finally {
      underWay.delete(key)
    }
  }
  return {
    read: (task, signal) =>
      task.version === undefined ? read(task, signal) : readOnce(keyOf(task.version, task), task, signal),
    close: () => pool.close(),
  }
}

/** Returns a function that reads small pages on the calling thread. It resolves to `undefined` for a page that needs a thread. */
function readerInPlace({ inlineBytes, inlineTime = 100 }: ReaderOptions) {
  const inPlace = workInPlace(inlineTime)
  const turns = makeTurnTime()
  // Imported when the first page is read on this thread.
  let loading: Promise<typeof here> | undefined
  return async (task: ReadTask, signal: AbortSignal): Promise<ReadResult | undefined> => {
    if (!isQuicklyRead(task, inlineBytes) || !inPlace.mayRun(hostOf(task))) return undefined
    loading ??= import('./read-page.ts')
    const { loadModules, readPage } = await loading
    if (task.wanted.some(({ module }) => module)) await loadModules(task.wanted)
    for (let pause = turns.pause(); pause; pause = turns.pause()) await pause
    signal.throwIfAborted()
    // Pages of the same host that were read while it was queued may have been slow.
    if (!inPlace.mayRun(hostOf(task))) return undefined
    const { version: _, team: __, ...page } = task
    return turns.spend(() => inPlace.run(hostOf(task), () => asEncoded(detach(readPage(page)), task)))
  }
}

// Milliseconds of reading in one turn of the event loop. Other requests are handled between the turns.
const turnTime = 10

/** Limits the time of the work in each turn of the event loop, so that pages that arrive together do not block others. */
function makeTurnTime() {
  let spent = 0
  let next: Promise<void> | undefined
  return {
    /** Returns a promise of the next turn if this one has no time left, otherwise `undefined`. */
    pause: (): Promise<void> | undefined => {
      if (spent < turnTime) return undefined
      next ??= nextTurn().then(() => {
        spent = 0
        next = undefined
      })
      return next
    },
    spend: <Result>(work: () => Result): Result => {
      const start = performance.now()
      try {
        return work()
      } finally {
        spent += performance.now() - start
      }
    },
  }
}

/** Small pages can be built to be slow. Hosts that send such pages are read in threads from then on. */
const hostOf = ({ url }: ReadTask): string => url.split('/', 3).join('/')

/** Removes the rest of the request, which takes time to copy and may contain credentials. */
function scopeOf({ onlyMainContent, includeTags, excludeTags, isFile }: Scope): Scope {
  return { onlyMainContent, includeTags, excludeTags, ...(isFile !== undefined && { isFile }) }
}

/** Removes `inPlace`, because functions cannot be sent to a thread. */
function forThread(reading: Reading): Reading {
  if (!reading.module) return reading
  const { inPlace: _, ...module } = reading.module
  return { ...reading, module }
}

/** Adds the module that was running when its thread was terminated. */
function errorWhile(label: string, cause: unknown): unknown {
  if (!EngineError.is(cause)) return cause
  const { code, message, details } = cause
  return new EngineError(code, `${message} At that time it was running ${label}.`, { details, cause })
}

/** Returns the size limit of all values together. Each is limited by itself, because not all go into the document. */
function ofAll({ most: { bytes, values }, wanted }: ReadTask): DocumentBound {
  return { bytes: bytes * wanted.length + 1_000, values: values * wanted.length + 1_000 }
}

/**
 * Returns the body if it can be transferred. That avoids a copy and frees its memory immediately, without garbage collection.
 */
function ownBody({ source }: Pick<ReadTask, 'source'>): OwnedBytes | undefined {
  const body = bodyOf(source)
  return typeof body !== 'string' && isOwned(body.bytes) ? body.bytes : undefined
}

/** Copies a body that others use as well, in small steps. Posting it would copy all of it at once and block this thread. */
async function copyOf(source: ReadTask['source']): Promise<ReadTask['source']> {
  const body = bodyOf(source)
  if (typeof body === 'string') return source
  const bytes = await joinInTurns([body.bytes])
  return 'text' in source ? { text: { ...source.text, bytes } } : { html: { ...body, bytes } }
}

/**
 * Copies lists and objects. Short strings sliced from a page keep the complete page in memory as long as they exist. Long
 * strings are built by joining and do not.
 */
function detach({ values, ...rest }: ReadResult): ReadResult {
  const own = ([field, value]: [string, unknown]) => [field, isPlain(value) ? JSON.parse(JSON.stringify(value)) : value]
  return { values: Object.fromEntries(Object.entries(values).map(own)), ...rest }
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
}

function asEncoded({ values, ...rest }: ReadResult, { wanted }: ReadTask): ReadResult {
  const bytes = wanted.filter(({ field, encode }) => encode && values[field] !== undefined)
  if (bytes.length === 0) return { values, ...rest }
  const made = bytes.map(({ field }) => [field, encodedJson(ownBytes(values[field] as Uint8Array))])
  return { values: { ...values, ...Object.fromEntries(made) }, ...rest }
}

/** Copies a cached result, because callers may change it, and each encoded value has a single owner. */
function copyOfResult({ values, ...rest }: ReadResult): ReadResult {
  const own = ([field, value]: [string, unknown]) => [field, copyOfValue(value)]
  return { values: Object.fromEntries(Object.entries(values).map(own)), ...rest }
}

function copyOfValue(value: unknown): unknown {
  if (isEncodedJson(value)) return copyOfEncoded(value)
  return isPlain(value) ? structuredClone(value) : value
}

function keyOf(version: string, { scope, wanted }: ReadTask): string {
  return JSON.stringify([version, scope.onlyMainContent, scope.includeTags, scope.excludeTags, wanted])
}

function sizeOf({ sizes }: ReadResult): number {
  return Object.values(sizes).reduce((sum, { bytes }) => sum + bytes, 0)
}
