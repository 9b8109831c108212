// Reads a record and finds its contents by request: the position of each response in the file, and the notes.
import { existsSync } from 'node:fs'

import { isRecord } from '@harvestman/ports'

import { parseJson } from '@harvestman/toolbox/parse-json'
import { exchangeKey } from '../keys.ts'
import type { ExchangeSource, NotedFailure, Note } from '../notes.ts'
import { filesOf } from '../options.ts'
import type { Redaction } from '@harvestman/toolbox/redaction'
import { bufferOf, type Field } from '../warc/fields.ts'
import { killedRuns, withoutRepeats, type KilledRun } from './killed-runs.ts'
import { notesIn, readNotes } from './notes-file.ts'
import { foreignBody, originalHeaders, readMessage, statusOf } from '../warc/http.ts'
import { notesUri } from '../warc/notes-record.ts'
import { readRecord, readWarc, type PlacedRecord } from '../warc/reader.ts'

/** A recorded HTTP response. */
export interface RecordedAnswer {
  readonly status: number
  readonly headers: readonly Field[]
  readonly body: Uint8Array
}

/** The result of one exchange: the position of its response, or the reason of its failure. */
interface Outcome {
  readonly order: number
  readonly by: ExchangeSource | undefined
  readonly place?: Place
  readonly failure?: NotedFailure
}

interface Place {
  readonly offset: number
  readonly length: number
  /** Position of the body, if it is stored with another record (a WARC revisit). */
  readonly body?: Omit<Place, 'body'> | undefined
}

/** The contents of a record. */
export interface Recorded {
  readonly notes: readonly Note[]
  /** The runs that were killed and resumed. */
  readonly killed: readonly KilledRun[]
  /** Number of exchanges. */
  readonly size: number
  /** The next free sequence number. */
  readonly next: number
  has(key: string, by: ExchangeSource): boolean
  /**
   * Returns the result of a request. Repeated calls return its recorded results in order, then the last one again. Resolves to
   * `undefined` if the request was not recorded.
   */
  take(key: string, by: ExchangeSource): Promise<RecordedAnswer | NotedFailure | undefined>
}

const maxBodyBytes = 256_000_000
const maxExchanges = 2_000_000

/**
 * Returns the next free sequence number of a record, or 0 if there is no such file. Rejects with `invalid_request` if
 * the record is damaged.
 */
export async function nextPlace(file: string, redaction: Redaction): Promise<number> {
  return existsSync(file) ? (await readRecorded(file, redaction)).next : 0
}

/**
 * Reads a record of this package or any other WARC file. Truncated responses are omitted. Rejects with `not_found` if there is
 * none, or with `invalid_request` if it is damaged or its name does not end with `.warc` or `.warc.gz`.
 */
export async function readRecorded(file: string, redaction: Redaction): Promise<Recorded> {
  const { warc, rest } = filesOf(file)
  const notes: Note[] = []
  const outcomes = new Map<string, Outcome[]>()
  const add = (key: string, outcome: Outcome): void => {
    const list = outcomes.get(key)
    if (list) list.push(outcome)
    else outcomes.set(key, [outcome])
  }
  const size = await readExchanges(warc, redaction, add, notes)
  notes.push(...(await readNotes(rest)))
  let next = size
  for (const note of notes) {
    if (note.is === 'exchange') add(note.key, { order: note.order, by: note.by, failure: note.failure })
    if ('order' in note) next = Math.max(next, note.order + 1)
  }
  for (const list of outcomes.values()) {
    list.sort((a, b) => a.order - b.order)
    next = Math.max(next, (list.at(-1)?.order ?? 0) + 1)
  }
  const killed = killedRuns(notes)
  return { notes, killed, size, next, ...answersOf(warc, outcomes, killed) }
}

function answersOf(
  warc: string,
  outcomes: ReadonlyMap<string, Outcome[]>,
  killed: readonly KilledRun[],
): Pick<Recorded, 'has' | 'take'> {
  const turns = new Map<string, number>()
  const fitting = (key: string, by: ExchangeSource): readonly Outcome[] =>
    withoutRepeats(
      (outcomes.get(key) ?? []).filter((outcome) => outcome.by === undefined || outcome.by === by),
      killed,
    )
  return {
    has: (key, by) => fitting(key, by).length > 0,
    take: async (key, by) => {
      const list = fitting(key, by)
      const turn = turns.get(`${by} ${key}`) ?? 0
      turns.set(`${by} ${key}`, turn + 1)
      const outcome = list[Math.min(turn, list.length - 1)]
      return outcome?.failure ?? (outcome?.place && answerAt(warc, outcome.place, outcome.by !== undefined))
    },
  }
}

async function answerAt(warc: string, { offset, length, body }: Place, isOurs: boolean): Promise<RecordedAnswer> {
  const [record, bodyRecord] = await Promise.all([
    readRecord(warc, offset, length),
    body && readRecord(warc, body.offset, body.length),
  ])
  const message = record && readMessage(record.block)
  if (!message) return { status: 200, headers: plainHeaders(record?.fields), body: record?.block ?? new Uint8Array() }
  const complete = bodyRecord ? (readMessage(bodyRecord.block) ?? message) : message
  return {
    status: statusOf(message),
    headers: isOurs ? originalHeaders(message.headers) : message.headers,
    body: isOurs ? complete.body : foreignBody(complete, maxBodyBytes),
  }
}

/** A `resource` record of another tool is the file itself, without a response head. */
function plainHeaders(fields: ReadonlyMap<string, string> | undefined): readonly Field[] {
  return [['content-type', fields?.get('content-type') ?? 'application/octet-stream']]
}

interface Met {
  readonly url: string
  readonly order: number
  readonly by: ExchangeSource | undefined
  readonly place: Place
}

/** Finds the position of each response. Its request, which has the method, may come before or after it. */
async function readExchanges(
  warc: string,
  redaction: Redaction,
  add: (key: string, outcome: Outcome) => void,
  notes: Note[],
): Promise<number> {
  const answers = new Map<string, Met>()
  const requests = new Map<string, string>()
  const bodies = new Map<string, Place>()
  for await (const record of readWarc(warc)) {
    const { fields } = record
    const [type, url = ''] = [fields.get('warc-type'), fields.get('warc-target-uri')?.replace(/^<|>$/g, '')]
    if (url === notesUri) notes.push(...notesIn(bufferOf(record.block).toString('utf8')))
    if (answers.size >= maxExchanges || !URL.canParse(url)) continue
    const id = fields.get('warc-record-id') ?? String(record.offset)
    if (type === 'request') {
      const key = requestKey(url, record, redaction)
      for (const to of [id, fields.get('warc-concurrent-to')]) if (to !== undefined) requests.set(to, key)
    } else if (type === 'response' || type === 'resource' || type === 'revisit') {
      // Truncated responses are not replayed.
      if (fields.has('warc-truncated')) continue
      answers.set(id, { url, ...askerOf(fields, answers.size), place: placeOf(record, bodies) })
    }
  }
  for (const [id, { url, ...outcome }] of answers) {
    // The process was killed after it wrote the response and before it wrote the request.
    if (outcome.by !== undefined && !requests.has(id)) continue
    add(requests.get(id) ?? exchangeKey({ method: 'GET', url }, redaction), outcome)
  }
  return answers.size
}

function requestKey(url: string, { block }: PlacedRecord, redaction: Redaction): string {
  const message = readMessage(block)
  const [method = 'GET'] = message?.start.split(' ') ?? []
  return exchangeKey({ method, url, body: message?.body }, redaction)
}

/** Returns the position of a response and of its body: the body of a revisit is in an earlier record with the same digest. */
function placeOf({ fields, offset, length }: PlacedRecord, bodies: Map<string, Place>): Place {
  const digest = fields.get('warc-payload-digest') ?? ''
  const place = { offset, length }
  if (fields.get('warc-type') === 'revisit') return { ...place, body: bodies.get(digest) }
  if (digest !== '' && !bodies.has(digest)) bodies.set(digest, place)
  return place
}

function askerOf(fields: ReadonlyMap<string, string>, place: number): Pick<Met, 'order' | 'by'> {
  const { order, by } = ownMetadata(fields.get('warc-json-metadata'))
  const isOurs = typeof order === 'number' && (by === 'fetcher' || by === 'browser')
  return isOurs ? { order, by } : { order: place, by: undefined }
}

/** Returns the fields of this package in the metadata of a WARC record. Empty for a record of another tool. */
export function ownMetadata(text: string | undefined): { readonly [name: string]: unknown } {
  const metadata = parseJson(text ?? '')
  const own = isRecord(metadata) ? metadata['harvestman'] : undefined
  return isRecord(own) ? own : {}
}
