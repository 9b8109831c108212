// The responses in the records of calls, for other features.
import type { AskedBy, RecordedResponse, RecordedTraffic } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'

import { ownMetadata } from '../reading/recorded.ts'
import { leftOut } from '../secrets.ts'
import { originalHeaders, readMessage, statusOf, type HttpMessage } from '../warc/http.ts'
import { openWarcBytes, type PlacedRecord, type WarcBytes } from '../warc/reader.ts'
import type { Archive } from './archive.ts'

/** Finds the record of a call, after the call was checked. Rejects with `not_found` if there is none. */
export type FindArchived = (id: string, call: AskedBy) => Promise<NonNullable<Awaited<ReturnType<Archive['read']>>>>

// Bytes of the record file that are read into memory. What follows is ignored.
const maxFileBytes = 64_000_000

/** Creates the access to responses in records. */
export function recordedResponses(find: FindArchived): RecordedTraffic {
  return {
    redacted: leftOut,
    responses: async function* (id, call) {
      const { pieces } = await find(id, call)
      yield* responsesIn(openWarcBytes(await beginningOf(pieces()), `The record ${id}`))
    },
  }
}

async function beginningOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const read: Uint8Array[] = []
  let left = maxFileBytes
  for await (const piece of pieces) {
    read.push(piece.subarray(0, left))
    left -= piece.length
    if (left <= 0) break
  }
  return Buffer.concat(read)
}

type Place = Pick<PlacedRecord, 'offset' | 'length'>

/** Yields the responses. A request follows its response, and a response whose body is repeated refers to the earlier one. */
async function* responsesIn(warc: WarcBytes): AsyncGenerator<RecordedResponse> {
  const bodies = new Map<string, Place>()
  let before: PlacedRecord | undefined
  for await (const record of warc.records()) {
    const type = record.fields.get('warc-type')
    if (type === 'request' && before && isOf(record, before)) {
      const response = await responseOf(before, record, bodies, warc)
      if (response) yield response
    }
    before = type === 'response' || type === 'revisit' ? record : undefined
    const digest = record.fields.get('warc-payload-digest')
    if (type === 'response' && digest !== undefined && !bodies.has(digest)) bodies.set(digest, placeOf(record))
  }
}

const placeOf = ({ offset, length }: PlacedRecord): Place => ({ offset, length })

function isOf(request: PlacedRecord, response: PlacedRecord): boolean {
  const { by } = ownMetadata(response.fields.get('warc-json-metadata'))
  const id = response.fields.get('warc-record-id')
  const isCut = response.fields.has('warc-truncated')
  return by === 'browser' && !isCut && id !== undefined && request.fields.get('warc-concurrent-to') === id
}

async function responseOf(
  response: PlacedRecord,
  request: PlacedRecord,
  bodies: ReadonlyMap<string, Place>,
  warc: WarcBytes,
): Promise<RecordedResponse | undefined> {
  const url = response.fields.get('warc-target-uri') ?? ''
  const [asked, answer] = [readMessage(request.block), readMessage(response.block)]
  const whole = answer && (await bodyOf(response, answer, bodies, warc))
  if (!asked || !answer || !whole || !URL.canParse(url)) return undefined
  const [method = 'GET'] = asked.start.split(' ')
  const body = asked.body.length === 0 ? undefined : asked.body
  return {
    asked: { url, method, headers: asked.headers, body },
    answer: { status: statusOf(answer), headers: originalHeaders(answer.headers), body: whole },
  }
}

async function bodyOf(
  { fields }: PlacedRecord,
  { body }: HttpMessage,
  bodies: ReadonlyMap<string, Place>,
  warc: WarcBytes,
): Promise<Uint8Array | undefined> {
  if (fields.get('warc-type') !== 'revisit') return body
  const place = bodies.get(fields.get('warc-payload-digest') ?? '')
  const earlier = place && (await warc.at(place.offset, place.length))
  return earlier && readMessage(earlier.block)?.body
}

/** Returns the error for a record that does not exist. */
export function noRecord(id: string): EngineError {
  return new EngineError('not_found', `The record ${id.slice(0, 100)} does not exist, or has expired.`)
}
