// A schema of zod in a request of a program: what comes is parsed by it, through every door.
import { scriptedLLM, scriptedSearch } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { EngineError, type Fetcher, type Json } from '@harvestman/ports'
import type { AnyDocument } from '../scrape/document.ts'
import { createEngine } from './engine.ts'

const url = 'https://a.test/lamp'
const html = '<title>Lamp</title><main><h1>Lamp</h1><p>A lamp of oak that is made by hand, for EUR 12.</p></main>'

const fetcher = (): Fetcher => ({
  exchange: async () => ({
    status: 200,
    headers: [['content-type', 'text/html; charset=utf-8']],
    body: new TextEncoder().encode(html),
  }),
  close: async () => undefined,
})

const lamp = z.object({
  label: z.string().trim(),
  price: z.number().refine((price) => price < 100, 'must be below 100'),
  tags: z.array(z.string()).default([]),
  since: z.string().transform((text) => new Date(text)),
})
const told = { label: ' Aurora ', price: 12, since: '2020-01-01', colour: 'oak' }
const parsed = { label: 'Aurora', price: 12, tags: [], since: new Date('2020-01-01') }
const formats = [{ type: 'json', schema: lamp }] as const

const bench = (...values: readonly Json[]) =>
  createEngine({
    fetcher,
    llm: scriptedLLM(values.map((value) => ({ value }))),
    search: scriptedSearch({ web: [{ url, title: 'Lamp', description: 'A lamp' }] }),
  })

async function all<T>(of: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const one of of) list.push(one)
  return list
}

const withoutColour = expect.not.objectContaining({ colour: 'oak' })

describe('A schema of zod parses what is found', () => {
  test('by a scrape: rules are held, defaults filled in, texts trimmed, and a property too many is left out', async () => {
    const { json } = await bench(told).scrape({ url, formats })
    expect(json).toEqual(parsed)
    expect(json).toEqual(withoutColour)
  })

  test('by reading a file, and by a search', async () => {
    const file = await bench(told).parse(new TextEncoder().encode(html), { name: 'a.html', formats })
    expect(file.json).toEqual(parsed)
    const { web } = await bench(told).search({ query: 'lamp', scrapeOptions: { formats } })
    expect(web?.[0]?.json).toEqual(parsed)
  })

  test('where its options stand in the older place', async () => {
    const { json } = await bench(told).unchecked.scrape({ url, formats: ['json'], jsonOptions: { schema: lamp } })
    expect(json).toEqual(parsed)
  })

  test('in each property of the document that its options choose', async () => {
    const scrape = async (as: readonly ('json' | 'extract')[]) => {
      const { json, extract } = await bench(told).unchecked.scrape({ url, formats: [{ ...formats[0], as }] })
      return { json, extract }
    }
    expect(await scrape(['extract'])).toEqual({ json: undefined, extract: parsed })
    expect(await scrape(['json', 'extract'])).toEqual({ json: parsed, extract: parsed })
  })

  test('by a batch and by a crawl, in documents and in events', async () => {
    const batch = await bench(told).batch({ urls: [url], formats })
    expect((await all(batch.documents())).map(({ json }) => json)).toEqual([parsed])
    const events = await all(batch.events())
    expect(events.flatMap((event) => (event.type === 'page' ? [event.document.json] : []))).toEqual([parsed])
    const crawl = await bench(told).crawl({ url, limit: 1, scrapeOptions: { formats } })
    expect((await all(crawl.documents())).map(({ json }) => json)).toEqual([parsed])
  })
})

describe('What a schema of zod does not take', () => {
  const dear = { ...told, price: 500 }

  test('fails the scrape, which names the format and the rule, costs nothing and leaves nothing behind', async () => {
    const engine = bench(dear)
    const error: unknown = await engine.scrape({ url, formats }, { keep: true }).catch((reason: unknown) => reason)
    if (!EngineError.is(error)) throw new Error('did not fail')
    expect([error.code, error.details['format']]).toEqual(['format_failed', 'json'])
    expect(error.message).toMatch(/^The format json failed\..* your schema\. price: must be below 100/)
    expect((await engine.usage()).used).toBe(0)
  })

  test('is a page of a batch that failed, and is not among its documents', async () => {
    const batch = await bench(dear).batch({ urls: [url], formats })
    expect(await all(batch.documents())).toEqual([])
    const failed = (await all(batch.events())).flatMap((event) => (event.type === 'failed page' ? [event.error] : []))
    expect(failed).toMatchObject([{ url, code: 'format_failed', error: expect.stringContaining('must be below 100') }])
  })

  test('and throws is a fault of the schema', async () => {
    const broken = z.object({ name: z.string() }).refine(() => {
      throw new Error('a fault of its own')
    })
    const asked = bench(told).scrape({ url, formats: [{ type: 'json', schema: broken }] })
    await expect(asked).rejects.toMatchObject({
      code: 'format_failed',
      message: expect.stringContaining('json failed'),
    })
  })
})

describe('A job that is found again', () => {
  const find = async (asked: readonly unknown[]): Promise<readonly AnyDocument[]> => {
    const engine = bench(told)
    const { id } = await engine.batch({ urls: [url], formats: ['markdown', { type: 'json', schema: lamp }] })
    return all((await engine.jobs.find(id, { formats: asked as never })).documents())
  }

  test('is parsed by the schema that its finder names, and is as it was kept without one', async () => {
    expect((await find([{ type: 'json', schema: lamp }]))[0]?.['json']).toEqual(parsed)
    expect((await find(['markdown']))[0]?.['json']).toEqual(told)
  })

  test('is refused by formats that it was not asked for', async () => {
    await expect(find(['links'])).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'formats: this job did not request links. It requested markdown, json.',
    })
  })
})
