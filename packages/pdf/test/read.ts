import { createEngine, type Engine } from '@harvestman/core'
import { defineLoader, definePlugin } from '@harvestman/core/plugin'

import { pdf, type PdfOptions } from '../src/index.ts'

/** An engine that finds these bytes at every address. */
export function engineFor(bytes: Uint8Array, options: PdfOptions = {}, contentType = 'application/pdf'): Engine {
  const loader = defineLoader({
    name: 'fixture',
    cost: 0,
    load: ({ url }) =>
      Promise.resolve({
        url: url.href,
        status: 200,
        headers: { 'content-type': contentType },
        body: bytes,
        captured: {},
        actions: {},
        proxyUsed: 'basic',
        warnings: [],
      }),
  })
  return createEngine({ plugins: [definePlugin({ name: 'fixtures', loaders: [loader] }), pdf(options)] })
}

type Input = Parameters<Engine['scrape']>[0]

export async function readPdf(bytes: Uint8Array, request: Partial<Input> = {}, options: PdfOptions = {}) {
  await using engine = engineFor(bytes, options)
  return await engine.scrape({ url: 'https://files.test/file.pdf', formats: ['markdown', 'html', 'links'], ...request })
}
