import { createEngine, type Engine } from '@harvestman/core'
import { defineLoader, definePlugin } from '@harvestman/core/plugin'

import { pdf, type PdfOptions } from '../src/index.ts'

interface File {
  readonly bytes: Uint8Array
  readonly contentType: string
}

function engineOf(fileAt: (url: string) => File, options: PdfOptions): Engine {
  const loader = defineLoader({
    name: 'fixture',
    cost: 0,
    load: ({ url }) => {
      const { bytes, contentType } = fileAt(url.href)
      return Promise.resolve({
        url: url.href,
        status: 200,
        headers: { 'content-type': contentType },
        body: bytes,
        captured: {},
        actions: {},
        proxyUsed: 'basic',
        warnings: [],
      })
    },
  })
  return createEngine({ plugins: [definePlugin({ name: 'fixtures', loaders: [loader] }), pdf(options)] })
}

/** An engine that finds these bytes at every address. */
export function engineFor(bytes: Uint8Array, options: PdfOptions = {}, contentType = 'application/pdf'): Engine {
  return engineOf(() => ({ bytes, contentType }), options)
}

type Input = Parameters<Engine['scrape']>[0]

const scrape = (engine: Engine, url: string, request: Partial<Input>) =>
  engine.scrape({ url, formats: ['markdown', 'html', 'links'], ...request })

export async function readPdf(bytes: Uint8Array, request: Partial<Input> = {}, options: PdfOptions = {}) {
  await using engine = engineFor(bytes, options)
  return await scrape(engine, 'https://files.test/file.pdf', request)
}

/** Reads files one after the other with one engine, whose thread has loaded what reads PDF. */
export function pdfReader() {
  const files = new Map<string, File>()
  const engine = engineOf((url) => files.get(url)!, {})
  return {
    read: async (bytes: Uint8Array, request: Partial<Input> = {}) => {
      const url = `https://files.test/file-${files.size}.pdf`
      files.set(url, { bytes, contentType: 'application/pdf' })
      return await scrape(engine, url, request)
    },
    close: () => engine.close(),
  }
}
