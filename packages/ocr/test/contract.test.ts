import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { createEngine } from '@harvestman/core'
import { definePlugin } from '@harvestman/core/plugin'
import { EngineError, type Fetcher, type Ocr, type OcrPicture } from '@harvestman/ports'
import { ocrContract } from '@harvestman/testing'
import { afterAll, beforeAll, describe, test } from 'vitest'

import { httpOcr, tesseract } from '../src/index.ts'

const local = tesseract({ threads: 1 })

describe('Tesseract', () => {
  test.each(ocrContract)('$name', ({ run }) => run(() => local))
})

interface ServiceRequest extends Omit<OcrPicture, 'bytes'> {
  readonly picture: string
  readonly languages?: readonly string[]
}

const statuses: Readonly<Record<string, number>> = { unsupported_file: 422, not_configured: 501 }

// A service of the documented form, which reads with Tesseract.
const service = createServer((request, response) => {
  const work = async (): Promise<void> => {
    const { picture, languages, ...rest } = JSON.parse(await text(request)) as ServiceRequest
    const bytes = new Uint8Array(Buffer.from(picture, 'base64'))
    const options = { team: 'a', timeout: 60_000, signal: new AbortController().signal, languages }
    const { lines, ...page } = await local.read({ ...rest, bytes }, options)
    const written = lines.map(({ words, ...line }) => ({
      ...line,
      words: words.map(({ box, ...word }) => ({ ...word, box: [box.left, box.top, box.right, box.bottom] })),
    }))
    response.end(JSON.stringify({ ...page, lines: written }))
  }
  work().catch((error: unknown) => {
    response.statusCode = EngineError.is(error) ? (statuses[error.code] ?? 500) : 500
    response.end(JSON.stringify({ error: EngineError.is(error) ? error.message : 'failed' }))
  })
})

let fetcher: Fetcher | undefined
const engine = createEngine({
  allowPrivate: ['127.0.0.1/32'],
  plugins: [
    definePlugin({
      name: 'network',
      open: (context) => {
        fetcher = context.fetcher
      },
    }),
  ],
})
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  await engine.parse(new TextEncoder().encode('<p>Opens the engine.</p>'), { name: 'a.html' })
})
afterAll(async () => {
  await engine.close()
  service.close()
})

function overHttp(): Ocr {
  const { port } = service.address() as AddressInfo
  if (!fetcher) throw new Error('The engine is not open.')
  return httpOcr({ url: `http://127.0.0.1:${port}/read` })({ fetcher })
}

describe('An HTTP service', () => {
  test.each(ocrContract)('$name', ({ run }) => run(overHttp))
})
