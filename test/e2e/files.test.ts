// Real and damaged files, at every offset of their buffer and in random chunks, sent to a real server in three ways.
// `node test/bench/files/run.ts 400` does the same with many more, and watches the server from outside.
import { createEngine } from '@harvestman/core'
import { documents } from '@harvestman/documents'
import { createApi, serve } from '@harvestman/http'
import { pdf } from '@harvestman/pdf'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { casesOf, corpusOf } from '../bench/files/corpus.ts'
import { examine } from '../bench/files/exam.ts'

const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], plugins: [documents(), pdf()] })
let server: Awaited<ReturnType<typeof serve>>

beforeAll(async () => {
  server = await serve(createApi(engine), { port: 0 })
})
afterAll(async () => {
  await server.close()
  await engine.close()
})

test(
  'files of strangers are read, read with a warning or refused by scrape, crawl and parse, whatever came of them',
  {
    timeout: 240_000,
    tags: ['long'],
  },
  async () => {
    const corpus = corpusOf(undefined)
    const { responses, read, unchecked, warned, refused, ...problems } = await examine(server.url, casesOf(corpus, 30))
    expect(problems).toEqual({ hangs: [], wrong: [], unequal: [], leaks: [], serverErrors: [] })
    expect({ responses, sum: read + warned + refused }).toEqual({ responses: 30 * 9, sum: 30 * 9 })
    expect(read).toBeGreaterThan(100)
    expect(refused).toBeGreaterThan(20)
    expect(unchecked).toBeLessThan(100)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  },
)
