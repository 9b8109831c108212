import type { RecordFiles, RecordLimits } from '../options.ts'
import { digestOf, exchangeKey, type KeyedRequest } from '../keys.ts'
import type { ExchangeSource, NotedFailure, Note } from '../notes.ts'
import type { Redaction } from '@harvestman/toolbox/redaction'
import { openAppender, type Appender } from '../warc/appender.ts'
import { printEntry } from '../warc/cdxj.ts'
import { packMember } from '../warc/members.ts'
import { readEarlier } from './earlier.ts'
import { exchangeRecords, infoRecord, type Exchange, type Revisited } from './exchange-records.ts'
import { gatherReadings, type Readings } from './readings.ts'

/** Writes a record. Copies its input immediately and never waits for the disk. */
export interface Recorder extends Readings {
  readonly redaction: Redaction
  readonly limits: RecordLimits
  /** Returns the next sequence number. */
  next(): number
  exchange(exchange: Exchange): void
  failure(asked: KeyedRequest, by: ExchangeSource, order: number, at: number, failure: NotedFailure): void
  note(note: Note): void
  /** For backpressure: resolves when the write buffers have drained. Returns `undefined` if there is space now. */
  room(): Promise<void> | undefined
}

/** A recorder that owns its files. */
export interface FileRecorder extends Recorder {
  /** Writes the remaining data and the index, and closes the files. */
  close(): Promise<void>
}

/** The outputs and settings of a recorder. */
export interface RecorderParts {
  /** Name of the record, for its first entry and for warnings. */
  readonly name: string
  readonly redaction: Redaction
  readonly limits: RecordLimits
  /** Receives the HTTP exchanges. */
  readonly warc: Omit<Appender, 'close'>
  /** Receives the lines of notes. */
  readonly rest: Omit<Appender, 'close'>
  /** The lines of the index so far. New ones are appended. */
  readonly index: string[]
  /** Whether nothing has been written yet. */
  readonly isNew: boolean
  /** Returns increasing sequence numbers. */
  readonly next: () => number
  /** Called once, when a size limit is reached. */
  readonly warn: (sentence: string) => void
}

export interface RecorderOptions extends Pick<RecorderParts, 'redaction' | 'limits' | 'isNew' | 'warn'> {
  readonly files: RecordFiles
  /** First free sequence number. Default: 0. */
  readonly first?: number | undefined
}

const level = 1

/**
 * Opens the files of a record, to create it or to append to it. Rejects with `store_failed` if a file cannot be opened, and
 * when appending with `not_found` or `invalid_request` if the record is missing or damaged.
 */
export async function openRecorder(options: RecorderOptions): Promise<FileRecorder> {
  const { files, isNew } = options
  const index = isNew ? [] : [...(await readEarlier(files))]
  const warc = await openAppender(files.warc, isNew)
  const rest = await openAppender(files.rest, isNew).catch(async (error: unknown) => {
    await warc.close()
    throw error
  })
  let order = options.first ?? 0
  const recorder = makeRecorder({ ...options, name: files.warc, warc, rest, index, next: () => order++ })
  return {
    ...recorder,
    close: async () => {
      recorder.note({ is: 'ended' })
      await Promise.all([warc.close(), rest.close(), writeIndex(files.index, index)])
    },
  }
}

// The head of a record contains the URL up to twice, and has a limit for readers.
const maxUrl = 30_000

/**
 * Creates a recorder that writes to the given outputs. Its owner must note the end of the run, which is always recorded. Beyond
 * the limits, and for exchanges with URLs that are invalid or longer than 30,000 characters, nothing is recorded, and no error is
 * thrown.
 */
export function makeRecorder(parts: RecorderParts): Recorder {
  const { redaction, limits, index, warc, rest, next } = parts
  const hasRoom = bound(parts, () => ({ bytes: warc.size + rest.size, exchanges: index.length }))
  const write = (note: Note): void => {
    // The end of the run is noted even if the record is full.
    if (note.is === 'ended' || hasRoom()) rest.add(Buffer.from(`${redaction.text(JSON.stringify(note))}\n`))
  }
  const readings = gatherReadings(write)
  const writeExchange = exchangeWriter(parts)
  return {
    ...{ redaction, limits, next },
    note: (note) => {
      readings.flush()
      write(note)
    },
    time: readings.time,
    id: readings.id,
    failure: (asked, by, order, at, failure) => {
      const key = exchangeKey(asked, redaction)
      write({ is: 'exchange', order, at, key, by, failure })
    },
    exchange: (exchange) => {
      if (!hasRoom() || !URL.canParse(exchange.url)) return
      const safe = hidden(exchange, redaction)
      if (safe.url.length <= maxUrl) writeExchange(safe)
    },
    room: () => warc.room() ?? rest.room(),
  }
}

/** Returns a function that tells whether the record has space left. Warns once when it is full. */
function bound(
  { name, limits, warn }: RecorderParts,
  size: () => { readonly bytes: number; readonly exchanges: number },
): () => boolean {
  let isFull = false
  return () => {
    const { bytes, exchanges } = size()
    if (isFull || (bytes < limits.fileBytes && exchanges < limits.exchanges)) return !isFull
    isFull = true
    warn(`The record ${name} is full: later requests are not recorded. Raise its limits.`)
    return false
  }
}

function exchangeWriter({ name, limits, isNew, warc, index }: RecorderParts) {
  const bodies = new Map<string, Revisited>()
  const filename = name.split(/[/\\]/).at(-1) ?? name
  if (isNew) warc.add(packMember(infoRecord(filename), level))
  return (exchange: Exchange): void => {
    const { url, at, status, answer, isCut, headers, method } = exchange
    const digest = digestOf(answer)
    const known = answer.length > 0 && !isCut ? bodies.get(digest) : undefined
    if (!known && !isCut && bodies.size < limits.exchanges) bodies.set(digest, { url, at })
    const members = exchangeRecords(exchange, digest, known).map((record) => packMember(record, level))
    const offset = warc.add(Buffer.concat(members))
    const type = headers.find(([name]) => name === 'content-type')?.[1].split(';')[0] ?? 'unk'
    const mime = known ? 'warc/revisit' : type
    const place = { offset, length: members[0]?.length ?? 0, filename }
    index.push(printEntry({ ...{ url, at, mime, status, digest }, ...place, ...(method !== 'GET' && { method }) }))
  }
}

function hidden(exchange: Exchange, redaction: Redaction): Exchange {
  const { url, sent, headers, body, answer } = exchange
  return {
    ...exchange,
    url: redaction.address(url),
    sent: redaction.headers(sent),
    headers: redaction.headers(headers),
    body: body && redaction.bytes(body),
    answer: redaction.bytes(answer),
  }
}

/** Writes the index, sorted. */
async function writeIndex(path: string, lines: readonly string[]): Promise<void> {
  const index: Appender = await openAppender(path, true)
  for (const line of lines.toSorted()) index.add(Buffer.from(line))
  await index.close()
}
