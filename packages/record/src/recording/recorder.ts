import type { RecordFiles, RecordLimits } from '../options.ts'
import { digestOf, exchangeKey, type Asked } from '../keys.ts'
import type { Asker, NotedFailure, Note } from '../notes.ts'
import type { Redaction } from '../secrets.ts'
import { openAppender, type Appender } from '../warc/appender.ts'
import { printEntry } from '../warc/cdxj.ts'
import { packMember } from '../warc/members.ts'
import { readEarlier } from './earlier.ts'
import { exchangeRecords, infoRecord, type Exchange, type Revisited } from './exchange-records.ts'
import { gatherReadings, type Readings } from './readings.ts'

/** Writes a record. What is given is copied at once, and nothing waits for the disk. */
export interface Recorder extends Readings {
  readonly redaction: Redaction
  readonly limits: RecordLimits
  /** The place of the next that is asked. */
  next(): number
  exchange(exchange: Exchange): void
  failure(asked: Asked, by: Asker, order: number, at: number, failure: NotedFailure): void
  note(note: Note): void
  /** Resolves when little waits to be written; nothing when that is so now. */
  room(): Promise<void> | undefined
  /** Writes what waits, and the index. */
  close(): Promise<void>
}

export interface RecorderOptions {
  readonly files: RecordFiles
  readonly redaction: Redaction
  readonly limits: RecordLimits
  readonly isNew: boolean
  /** The first place that is free. */
  readonly first?: number | undefined
  /** Told once, when a bound is reached. */
  readonly warn: (sentence: string) => void
}

const level = 1

/** Opens the files of a record. */
export async function openRecorder(options: RecorderOptions): Promise<Recorder> {
  const { files, redaction, limits, isNew } = options
  const index = isNew ? [] : [...(await readEarlier(files))]
  const warc = await openAppender(files.warc, isNew)
  const rest = await openAppender(files.rest, isNew)
  const hasRoom = bound(options, () => ({ bytes: warc.size + rest.size, exchanges: index.length }))
  const write = (note: Note): void => {
    if (hasRoom()) rest.add(Buffer.from(`${redaction.text(JSON.stringify(note))}\n`))
  }
  const readings = gatherReadings(write)
  const writeExchange = exchangeWriter(options, warc, index)
  let order = options.first ?? 0
  return {
    ...{ redaction, limits },
    next: () => order++,
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
      if (hasRoom() && URL.canParse(exchange.url)) writeExchange(hidden(exchange, redaction))
    },
    room: () => warc.room() ?? rest.room(),
    close: async () => {
      readings.flush()
      rest.add(Buffer.from(`${JSON.stringify({ is: 'ended' } satisfies Note)}\n`))
      await Promise.all([warc.close(), rest.close(), writeIndex(files.index, index)])
    },
  }
}

/** Whether there is room in the files, which is told when there is none any more. */
function bound(
  { files, limits, warn }: RecorderOptions,
  size: () => { readonly bytes: number; readonly exchanges: number },
): () => boolean {
  let isFull = false
  return () => {
    const { bytes, exchanges } = size()
    if (isFull || (bytes < limits.fileBytes && exchanges < limits.exchanges)) return !isFull
    isFull = true
    warn(`The record ${files.warc} is full: what is asked from now on is not in it. Raise its limits.`)
    return false
  }
}

function exchangeWriter({ files, limits, isNew }: RecorderOptions, warc: Appender, index: string[]) {
  const bodies = new Map<string, Revisited>()
  const filename = files.warc.split(/[/\\]/).at(-1) ?? files.warc
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

/** Writes the lines of the index in their order. */
async function writeIndex(path: string, lines: readonly string[]): Promise<void> {
  const index: Appender = await openAppender(path, true)
  for (const line of lines.toSorted()) index.add(Buffer.from(line))
  await index.close()
}
