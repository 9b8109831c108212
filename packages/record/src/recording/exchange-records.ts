// Writes an exchange as two WARC records, response and request, which refer to each other.
import { randomUUID } from 'node:crypto'

import type { KeyedRequest } from '../keys.ts'
import type { ExchangeSource } from '../notes.ts'
import { printRecord, type Field } from '../warc/fields.ts'
import { printRequestHead, printResponseHead } from '../warc/http.ts'

/** An HTTP exchange to record. */
export interface Exchange extends KeyedRequest {
  readonly by: ExchangeSource
  /** Sequence number among all requests of the record. */
  readonly order: number
  readonly at: number
  readonly sent: readonly Field[]
  readonly status: number
  readonly headers: readonly Field[]
  /** The decoded response body. */
  readonly answer: Uint8Array
  /** Whether it is the document of a frame in a page. */
  readonly isFrame?: boolean | undefined
  /** The body is truncated because it was too large. */
  readonly isCut?: boolean | undefined
}

/** An earlier exchange whose body is identical and already in the record. */
export interface Revisited {
  readonly url: string
  readonly at: number
}

const revisitProfile = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest'

/** Creates the first record of a file, which describes the software. */
export function infoRecord(filename: string): Buffer {
  const lines = [
    'software: Harvestman (https://github.com/harvestman/harvestman)',
    'format: WARC File Format 1.1',
    'conformsTo: https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/',
  ]
  const fields: Field[] = [
    ['WARC-Type', 'warcinfo'],
    ['WARC-Record-ID', newRecordId()],
    ['WARC-Date', new Date().toISOString()],
    ['WARC-Filename', filename],
    ['Content-Type', 'application/warc-fields'],
  ]
  return printRecord(fields, [Buffer.from(`${lines.join('\r\n')}\r\n`)])
}

/**
 * Creates the response and request records. If the body is already in the file, the response is a revisit that refers to it.
 * `digest` is that of the response body. Throws a `TypeError` if the URL is invalid.
 */
export function exchangeRecords(
  {
    url,
    at,
    order,
    by,
    method,
    sent,
    body = new Uint8Array(),
    status,
    headers,
    answer,
    isCut = false,
    isFrame,
  }: Exchange,
  digest: string,
  known: Revisited | undefined,
): readonly [response: Buffer, request: Buffer] {
  const [responseId, requestId] = [newRecordId(), newRecordId()]
  const common: Field[] = [
    ['WARC-Target-URI', url],
    ['WARC-Date', new Date(at).toISOString()],
  ]
  const response: Field[] = [
    ['WARC-Type', known ? 'revisit' : 'response'],
    ['WARC-Record-ID', responseId],
    ['WARC-Concurrent-To', requestId],
    ...common,
    ...(known ? revisitFields(known) : []),
    ['WARC-Payload-Digest', digest],
    ['WARC-JSON-Metadata', JSON.stringify({ harvestman: { by, order, ...(isFrame && { isFrame }) } })],
    ...(isCut ? [['WARC-Truncated', 'length'] as const] : []),
    ['Content-Type', 'application/http; msgtype=response'],
  ]
  const request: Field[] = [
    ['WARC-Type', 'request'],
    ['WARC-Record-ID', requestId],
    ['WARC-Concurrent-To', responseId],
    ...common,
    ['Content-Type', 'application/http; msgtype=request'],
  ]
  const head = printResponseHead(status, headers, answer.length)
  return [
    printRecord(response, known ? [head] : [head, answer]),
    printRecord(request, [printRequestHead(method, new URL(url), sent), body]),
  ]
}

function revisitFields({ url, at }: Revisited): Field[] {
  return [
    ['WARC-Profile', revisitProfile],
    ['WARC-Refers-To-Target-URI', url],
    ['WARC-Refers-To-Date', new Date(at).toISOString()],
  ]
}

function newRecordId(): string {
  return `<urn:uuid:${randomUUID()}>`
}
