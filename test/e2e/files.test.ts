// Real and damaged files, at every offset of their buffer and in random chunks, sent to a real server in three ways.
// `node test/bench/files/run.ts 400` does the same with many more, and watches the server from outside.
import { createEngine } from '@harvestman/core'
import { documents } from '@harvestman/documents'
import { createApi, serve } from '@harvestman/http'
import { pdf } from '@harvestman/pdf'
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { casesOf, corpusOf } from '../bench/files/corpus.ts'
import { examine, isCrawled } from '../bench/files/exam.ts'

const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], plugins: [documents(), pdf()] })
let server: Awaited<ReturnType<typeof serve>>

beforeAll(async () => {
  server = await serve(createApi(engine), { port: 0 })
})
afterAll(async () => {
  await server.close()
  await engine.close()
})

/** Requests another page again and again until the work ends, and returns the number of its responses. */
async function alongside(work: Promise<unknown>): Promise<number> {
  const ended = new AbortController()
  void work.finally(() => ended.abort()).catch(() => undefined)
  let responses = 0
  while (!ended.signal.aborted) {
    const { ok } = await fetch(`${server.url}/health`)
    expect(ok).toBe(true)
    responses += 1
    await sleep(100)
  }
  return responses
}

test(
  'files of strangers are read, read with a warning or refused by scrape, crawl and parse, while others get responses',
  {
    timeout: 480_000,
    tags: ['long'],
  },
  async () => {
    const corpus = corpusOf(undefined)
    // Each file as it is, and some of them damaged.
    const cases = casesOf(corpus, corpus.length + 20)
    const total = cases.length * 8 + cases.filter(isCrawled).length
    const exam = examine(server.url, cases)
    const others = await alongside(exam)
    const { responses, read, unchecked, warned, refused, timed: _timed, kinds, ...problems } = await exam
    expect(problems).toEqual({ hangs: [], wrong: [], incomplete: [], unequal: [], leaks: [], serverErrors: [] })
    expect({ responses, sum: read + warned + refused }).toEqual({ responses: total, sum: total })
    expect(Object.keys(kinds).toSorted()).toEqual([...new Set(corpus.map(({ name }) => extname(name)))].toSorted())
    expect(Object.values(kinds).map(({ killed }) => killed)).toEqual(Object.values(kinds).map(() => 0))
    expect(read).toBeGreaterThan(100)
    expect(refused).toBeGreaterThan(20)
    expect(unchecked).toBeLessThan(100)
    expect(others).toBeGreaterThan(10)
  },
)
