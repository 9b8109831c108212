// The responses in the records of calls, for other features.
import type { AskedBy, RecordedResponse, RecordedTraffic, RecordReading } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'

import { ownMetadata } from '../reading/recorded.ts'
import { leftOut } from '@harvestman/toolbox/redaction'
import { endOfHead } from '../warc/fields.ts'
import { originalHeaders, readMessage, statusOf, type HttpMessage } from '../warc/http.ts'
import { openWarcBytes, type PlacedRecord, type WarcBytes } from '../warc/reader.ts'
import type { Archived } from './archive.ts'

/** Finds the record of a call, after the call was checked. Rejects with `not_found` if there is none. */
export type FindArchived = (id: string, call: AskedBy) => Promise<Archived>

// Bytes of the record file that are read into memory, bytes that are unpacked, and records. What follows is ignored.
const maxFileBytes = 64_000_000
const maxUnpackedBytes = 256_000_000
const maxRecords = 20_000
// Bytes of all heads of records and messages, which are parsed on the main thread.
const maxHeadsBytes = 32_000_000

/** Creates the access to responses in records. */
export function recordedResponses(find: FindArchived): RecordedTraffic {
  return {
    redacted: leftOut,
    find: async (id, call) => {
      const { options, pieces } = await find(id, call)
      return {
        options,
        responses: async function* (reading) {
          yield* responsesOf(await beginningOf(pieces(), reading.signal), `The record ${id}`, reading)
        },
      }
    },
    ofFile: (bytes) => ({
      options: undefined,
      responses: (reading) => responsesOf(bytes.subarray(0, maxFileBytes), 'The record file', reading),
    }),
  }
}

function responsesOf(bytes: Uint8Array, name: string, reading: RecordReading): AsyncGenerator<RecordedResponse> {
  const { signal } = reading
  return responsesIn(openWarcBytes(bytes, { name, maxBytes: maxUnpackedBytes, maxRecords, signal }), reading)
}

async function beginningOf(pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Uint8Array> {
  const read: Uint8Array[] = []
  let left = maxFileBytes
  for await (const piece of pieces) {
    signal.throwIfAborted()
    read.push(piece.subarray(0, left))
    left -= piece.length
    if (left <= 0) break
  }
  return Buffer.concat(read)
}

/** The position of a record, and the bytes of its block. */
interface Place extends Pick<PlacedRecord, 'offset' | 'length'> {
  readonly size: number
}

type Accepts = RecordReading['accepts']

/** Yields the responses. A request follows its response, and a response whose body is repeated refers to the earlier one. */
async function* responsesIn(warc: WarcBytes, { accepts }: RecordReading): AsyncGenerator<RecordedResponse> {
  const bodies = new Map<string, Place>()
  let before: PlacedRecord | undefined
  let headsBytes = 0
  for await (const record of warc.records()) {
    headsBytes += record.headBytes + (endOfHead(record.block) ?? 0)
    if (headsBytes > maxHeadsBytes) return
    const type = record.fields.get('warc-type')
    if (type === 'request' && before && isOf(record, before)) {
      const response = await responseOf(before, record, (one, head) => bodyOf(one, head, { bodies, warc, accepts }))
      if (response) yield response
    }
    before = type === 'response' || type === 'revisit' ? record : undefined
    const digest = record.fields.get('warc-payload-digest')
    if (type === 'response' && digest !== undefined && !bodies.has(digest)) bodies.set(digest, placeOf(record))
  }
}

const placeOf = ({ offset, length, block }: PlacedRecord): Place => ({ offset, length, size: block.length })

function isOf(request: PlacedRecord, response: PlacedRecord): boolean {
  const { by } = ownMetadata(response.fields.get('warc-json-metadata'))
  const id = response.fields.get('warc-record-id')
  const isCut = response.fields.has('warc-truncated')
  return by === 'browser' && !isCut && id !== undefined && request.fields.get('warc-concurrent-to') === id
}

async function responseOf(
  response: PlacedRecord,
  request: PlacedRecord,
  readBody: (response: PlacedRecord, head: HttpMessage) => Promise<Uint8Array | undefined>,
): Promise<RecordedResponse | undefined> {
  const url = response.fields.get('warc-target-uri') ?? ''
  const [asked, answer] = [readMessage(request.block), readMessage(response.block)]
  if (!asked || !answer || !URL.canParse(url)) return undefined
  const whole = await readBody(response, answer)
  if (!whole) return undefined
  const [method = 'GET'] = asked.start.split(' ')
  const { isFrame } = ownMetadata(response.fields.get('warc-json-metadata'))
  const body = asked.body.length === 0 ? undefined : asked.body
  return {
    asked: { url, method, headers: asked.headers, body, ...(isFrame === true && { isFrame }) },
    answer: { status: statusOf(answer), headers: originalHeaders(answer.headers), body: whole },
  }
}

interface Bodies {
  readonly bodies: ReadonlyMap<string, Place>
  readonly warc: WarcBytes
  readonly accepts: Accepts
}

/** Returns the body of a response, or `undefined` if it is not accepted or not in the record. */
async function bodyOf(
  { fields }: PlacedRecord,
  { headers, body }: HttpMessage,
  { bodies, warc, accepts }: Bodies,
): Promise<Uint8Array | undefined> {
  const isAccepted = (bytes: number): boolean => accepts(originalHeaders(headers), bytes)
  if (fields.get('warc-type') !== 'revisit') return isAccepted(body.length) ? body : undefined
  const place = bodies.get(fields.get('warc-payload-digest') ?? '')
  const earlier = place && isAccepted(place.size) ? await warc.at(place.offset, place.length) : undefined
  return earlier && readMessage(earlier.block)?.body
}

/** Returns the error for a record that does not exist. */
export function noRecord(id: string): EngineError {
  return new EngineError('not_found', `The record ${id.slice(0, 100)} does not exist, or has expired.`)
}
