import { expect, test } from 'vitest'

import { digestOf } from '../keys.ts'
import { exchangeRecords, type Exchange } from '../recording/exchange-records.ts'
import { packMember } from '../warc/members.ts'
import { openWarcBytes } from '../warc/reader.ts'
import { recordedResponses } from './recorded-responses.ts'

const { signal } = new AbortController()
const call = { team: 'acme' } as never

/** Returns a record of responses. Their body is stored with the first one of its type only. */
function recordOf(types: readonly string[], bodyBytes: number): Buffer {
  const known = new Set<string>()
  const members = types.flatMap((type, order) => {
    const exchange: Exchange = {
      ...{ url: `https://a.example/${order}`, method: 'GET', by: 'browser', order, at: order, sent: [], status: 200 },
      ...{ headers: [['content-type', type]], answer: Buffer.alloc(bodyBytes, type) },
    }
    const earlier = known.has(type) ? { url: exchange.url, at: 0 } : undefined
    known.add(type)
    return exchangeRecords(exchange, digestOf(exchange.answer), earlier).map((record) => packMember(record, 1))
  })
  return Buffer.concat(members)
}

function open(bytes: Uint8Array) {
  const pieces = async function* () {
    yield bytes
  }
  return recordedResponses(async () => ({ bytes: bytes.length, options: undefined, pieces })).find('1', call)
}

test('the body of a repeated response is read if it is accepted by its headers and size', async () => {
  const record = await open(recordOf(['image/png', 'text/html', 'image/png', 'text/html'], 5_000))
  const asked: string[] = []
  const found: string[] = []
  const accepts = (headers: readonly (readonly [string, string])[], bytes: number): boolean => {
    const type = headers.find(([name]) => name === 'content-type')?.[1] ?? ''
    asked.push(`${type} ${bytes >= 5_000}`)
    return type === 'text/html'
  }
  for await (const { asked: request, answer } of record.responses({ signal, accepts }))
    found.push(`${request.url} ${answer.body.length}`)
  expect(asked).toEqual(['image/png true', 'text/html true', 'image/png true', 'text/html true'])
  expect(found).toEqual(['https://a.example/1 5000', 'https://a.example/3 5000'])
})

test('the responses in the bytes of a record file are read without a stored record', async () => {
  const { ofFile } = recordedResponses(() => Promise.reject(new Error('There is no stored record.')))
  const found: string[] = []
  for await (const { asked } of ofFile(recordOf(['text/html', 'text/css'], 10)).responses({
    signal,
    accepts: () => true,
  }))
    found.push(asked.url)
  expect(found).toEqual(['https://a.example/0', 'https://a.example/1'])
})

test('reading a record ends when the signal is aborted', async () => {
  const record = await open(recordOf(['text/html', 'text/css'], 5_000))
  const stop = new AbortController()
  const read = async (): Promise<void> => {
    for await (const _ of record.responses({ signal: stop.signal, accepts: () => true }))
      stop.abort(new Error('stopped'))
  }
  await expect(read()).rejects.toThrow('stopped')
})

test('reading ends at the limit of unpacked bytes, which repeated reading counts towards', async () => {
  const warc = openWarcBytes(recordOf(['a/b', 'c/d', 'e/f'], 10_000), {
    ...{ name: 'The record', maxBytes: 35_000, maxRecords: 10 },
    signal,
  })
  const types: (string | undefined)[] = []
  for await (const { fields, offset, length } of warc.records()) {
    types.push(fields.get('warc-type'))
    if (types.length === 1) expect(await warc.at(offset, length)).toBeDefined()
  }
  expect(types).toEqual(['response', 'request', 'response', 'request'])
})

test('reading ends at the limit of records', async () => {
  const limits = { name: 'The record', maxBytes: 1_000_000, maxRecords: 3, signal }
  const types: (string | undefined)[] = []
  for await (const { fields } of openWarcBytes(recordOf(['a/b', 'c/d'], 10), limits).records())
    types.push(fields.get('warc-type'))
  expect(types).toEqual(['response', 'request', 'response'])
})

test('a record whose head is too large is refused', async () => {
  const head = `WARC/1.1\r\nWARC-Type: response\r\n${'a:b\r\n'.repeat(14_000)}Content-Length: 0\r\n\r\n\r\n\r\n`
  const warc = openWarcBytes(packMember(Buffer.from(head), 1), { name: 'It', maxBytes: 1e6, maxRecords: 9, signal })
  await expect(warc.records().next()).rejects.toMatchObject({ code: 'invalid_request' })
})

test('a response whose head is too large is ignored, and those after it are read', async () => {
  const headers = Array.from({ length: 3_000 }, (_, at) => [`x-${at}`, ''] as const)
  const exchange: Exchange = {
    ...{ url: 'https://a.example/large', method: 'GET', by: 'browser', order: 0, at: 0, sent: [], status: 200 },
    ...{ headers, answer: Buffer.from('a') },
  }
  const large = exchangeRecords(exchange, digestOf(exchange.answer), undefined).map((one) => packMember(one, 1))
  const record = await open(Buffer.concat([...large, recordOf(['text/html'], 10)]))
  const found: string[] = []
  for await (const { asked } of record.responses({ signal, accepts: () => true })) found.push(asked.url)
  expect(found).toEqual(['https://a.example/0'])
})

test('reading ends at the limit of bytes of all heads', async () => {
  const exchange: Exchange = {
    ...{ url: 'https://a.example/', method: 'GET', by: 'browser', order: 0, at: 0, sent: [], status: 200 },
    ...{ headers: [['x', 'a'.repeat(64_000)]], answer: Buffer.from('a') },
  }
  const one = exchangeRecords(exchange, digestOf(exchange.answer), undefined).map((record) => packMember(record, 1))
  const record = await open(Buffer.concat(Array.from({ length: 600 }, () => one).flat()))
  let count = 0
  for await (const _ of record.responses({ signal, accepts: () => true })) count += 1
  expect(count).toBeGreaterThan(400)
  expect(count).toBeLessThan(500)
})

test('the document of a frame is marked', async () => {
  const exchange: Exchange = {
    ...{ url: 'https://a.example/', method: 'GET', by: 'browser', order: 0, at: 0, sent: [], status: 200 },
    ...{ headers: [], answer: Buffer.from('a'), isFrame: true },
  }
  const frame = exchangeRecords(exchange, digestOf(exchange.answer), undefined).map((one) => packMember(one, 1))
  const record = await open(Buffer.concat([...frame, recordOf(['text/html'], 10)]))
  const found: unknown[] = []
  for await (const { asked } of record.responses({ signal, accepts: () => true })) found.push(asked.isFrame)
  expect(found).toEqual([true, undefined])
})
