import type { Fetcher, OcrPicture, WireRequest } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { httpOcr } from './http-ocr.ts'

const word = { text: 'a', box: [0, 0, 1, 1] }

function serviceOf(response: unknown) {
  const requests: WireRequest[] = []
  const fetcher: Pick<Fetcher, 'exchange'> = {
    exchange: (request) => {
      requests.push(request)
      const body = new TextEncoder().encode(JSON.stringify(response))
      return Promise.resolve({ url: new URL('https://ocr.example/'), status: 200, headers: {}, body } as never)
    },
  }
  const engine = httpOcr({ url: 'https://ocr.example/' })({ fetcher: fetcher as Fetcher })
  const options = { team: 'a', timeout: 60_000, signal: new AbortController().signal }
  return { requests, read: (picture: OcrPicture) => engine.read(picture, options) }
}

const pictureOf = (bytes: Uint8Array): OcrPicture => ({ bytes, type: 'image/png', width: 10, height: 20 })
const linesOf = (lines: number, words: number) =>
  Array.from({ length: lines }, () => ({ words: Array.from({ length: words }, () => word) }))

test.each([0, 1, 786_431, 786_432, 786_433, 2_000_000])('a picture of %i bytes is sent as base64', async (length) => {
  const { requests, read } = serviceOf({ width: 10, height: 20, lines: [] })
  const bytes = new Uint8Array(length + 1).map((_, index) => index * 31).subarray(1)
  await read(pictureOf(bytes))
  const sent = JSON.parse(new TextDecoder().decode(requests[0]?.body)) as { picture: string }
  expect({ ...sent, picture: Buffer.from(sent.picture, 'base64').equals(bytes) }).toEqual({
    ...{ picture: true, type: 'image/png', width: 10, height: 20 },
  })
})

test('a large picture is encoded in several turns of the event loop', async () => {
  const { requests, read } = serviceOf({ width: 10, height: 20, lines: [] })
  const reading = read(pictureOf(new Uint8Array(4_000_000)))
  await new Promise((resolve) => setImmediate(resolve))
  expect(requests).toEqual([])
  await reading
  expect(requests).toHaveLength(1)
})

test('a response of more than 20,000 words is an error', async () => {
  const allowed = await serviceOf({ width: 10, height: 20, lines: linesOf(40, 500) }).read(pictureOf(new Uint8Array(1)))
  expect(allowed.lines).toHaveLength(40)
  const tooMany = serviceOf({ width: 10, height: 20, lines: linesOf(41, 500) })
  await expect(tooMany.read(pictureOf(new Uint8Array(1)))).rejects.toMatchObject({
    code: 'bad_response',
    message: expect.stringContaining('lines has more than 20000 words'),
  })
})
