// What a document may hold is one bound, wherever its values come from.
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'

import { isEncodedJson } from '@harvestman/ports/values'
import { defineFormat, defineParser, definePlugin } from '../plugin/define.ts'
import type { Plugin } from '../plugin/parts.ts'
import type { MakeFetcher } from '@harvestman/ports'
import { markdown } from '../formats/markdown.ts'
import { createEngine } from './engine.ts'

const opened: { close(): Promise<void> }[] = []
afterAll(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine.close()))
})

interface House {
  readonly type?: string
  readonly plugins?: readonly Plugin[]
  readonly inlineBytes?: number
}

interface Page {
  readonly type: string
  readonly body: string
}

const pages = new Map<string, Page>()
const fetcher: MakeFetcher = () => ({
  exchange: async ({ url }) => {
    const { type, body } = pages.get(String(url)) ?? { type: 'text/plain', body: '' }
    return { status: 200, headers: [['content-type', type]], body: Buffer.from(body) }
  },
  close: async () => undefined,
})

function openEngine(inlineBytes: number, plugins: readonly Plugin[]) {
  const engine = createEngine({
    ...{ fetcher, plugins },
    limits: { documentBytes: 20_000, documentValues: 1_000, inlineBytes },
  })
  opened.push(engine)
  return engine
}

// Each has threads of its own, which take long to start.
const withoutPlugins = new Map<number, ReturnType<typeof openEngine>>()

/** A page of its own, and an engine that reads it. */
function engineOf(body: string, { type = 'text/html', plugins = [], inlineBytes = 0 }: House = {}) {
  const url = `https://a.example/page-${pages.size}`
  pages.set(url, { type, body })
  const shared = plugins.length > 0 ? undefined : withoutPlugins.get(inlineBytes)
  const engine = shared ?? openEngine(inlineBytes, plugins)
  if (plugins.length === 0) withoutPlugins.set(inlineBytes, engine)
  return { engine, url }
}

const tooMuch = { code: 'page_too_complex', message: expect.stringContaining('raise limits.document') }
const links = (count: number): string =>
  Array.from({ length: count }, (_, index) => `<a href="/${index}">x</a>`).join('')
const attributes = (count: number) => ({
  type: 'attributes',
  selectors: Array.from({ length: count }, () => ({ selector: 'a', attribute: 'href' })),
})

test.each([
  ['attributes', links(300), [attributes(5)]],
  ['links', links(1_200), ['links']],
  [
    'links of a long base',
    `<base href="https://a.example/${'long/'.repeat(200)}">${links(100).replaceAll('"/', '"')}`,
    ['links'],
  ],
  ['images', Array.from({ length: 1_200 }, (_, index) => `<img src="/${index}">`).join(''), ['images']],
  ['hidden text', `<p hidden>${'word '.repeat(2_000)}</p>`.repeat(4), ['hiddenText']],
  ['HTML', `<p>${'word '.repeat(5_000)}`, ['html']],
  ['raw HTML', `<p>${'word '.repeat(5_000)}`, ['rawHtml']],
  ['Markdown', `<p>${'word '.repeat(5_000)}`, ['markdown']],
  ['metadata', `<title>${'word '.repeat(5_000)}</title>`, ['metadata']],
])('%s that would be more are refused, read in a thread or in place', async (_, page, formats) => {
  for (const inlineBytes of [0, 1_000_000]) {
    const { engine, url } = engineOf(page, { inlineBytes })
    const asked = engine.unchecked.scrape({ url, formats, onlyMainContent: false })
    await expect(asked).rejects.toMatchObject(tooMuch)
  }
})

test('formats that are each within the bound are not together', async () => {
  const page = `<p>${'word '.repeat(2_500)}`
  const { engine, url } = engineOf(page)
  await engine.unchecked.scrape({ url, formats: ['markdown'] })
  await expect(engine.unchecked.scrape({ url, formats: ['markdown', 'html'] })).rejects.toMatchObject(tooMuch)
})

test.each([
  ['text/plain', 'word '.repeat(5_000)],
  ['application/json', `[${'1,'.repeat(11_000)}1]`],
  ['text/css', 'a { b: c }\n'.repeat(3_000)],
  ['text/csv', `${'a,'.repeat(1_000)}b\n${'c\n'.repeat(1_000)}`],
])('a file of %s has the same bound', async (type, body) => {
  const { engine, url } = engineOf(body, { type })
  await expect(engine.unchecked.scrape({ url })).rejects.toMatchObject(tooMuch)
})

test('a file of text is as large as a page may be, and no larger', async () => {
  const small = createEngine({ limits: { pageBytes: 100 } })
  opened.push(small)
  const read = small.unchecked.parse(Buffer.from('word '.repeat(100)), { name: 'a.txt' })
  await expect(read).rejects.toMatchObject({ message: expect.stringContaining('limits.pageBytes') })
})

test('what a format of a plugin makes is counted', async () => {
  const large = defineFormat({
    type: 'large',
    options: z.object({ count: z.int() }),
    needs: { markdown },
    derive: (_, { options }) => Array.from({ length: options.count }, () => 'a value'),
  })
  const { engine, url } = engineOf('<p>x', { plugins: [definePlugin({ name: 'large', formats: [large] })] })
  await engine.unchecked.scrape({ url, formats: [{ type: 'large', count: 900 }] })
  await expect(engine.unchecked.scrape({ url, formats: [{ type: 'large', count: 1_100 }] })).rejects.toMatchObject(
    tooMuch,
  )
})

test.each(['markdown', 'rawHtml', 'metadata'])('what a parser of a plugin gives as %s is counted', async (name) => {
  const value = 'x'.repeat(25_000)
  const content = name === 'metadata' ? { metadata: { value } } : { [name]: value }
  const parser = defineParser({ name: 'mine', accepts: ['application/x-mine'], parse: () => content })
  const { engine, url } = engineOf('x', {
    type: 'application/x-mine',
    plugins: [definePlugin({ name: 'mine', parsers: [parser] })],
  })
  await expect(engine.unchecked.scrape({ url })).rejects.toMatchObject(tooMuch)
})

test('a picture that is written out in the document is counted, and one with an address is not', async () => {
  const picture = defineFormat({ type: 'picture', needs: {}, derive: () => new Uint8Array(18_000) })
  const plugins = [definePlugin({ name: 'picture', formats: [picture] })]
  const { engine, url } = engineOf('<p>x', { plugins })
  const request = { url, formats: [{ type: 'picture' }] }
  await expect(engine.unchecked.scrape(request)).rejects.toMatchObject(tooMuch)
  const { picture: address } = await engine.unchecked.scrape(request, { filesAt: 'http://files/' })
  expect(address).toMatch(/^http:\/\/files\//)
})

test('what goes from the page into a document that is only printed is text already, and the same', async () => {
  const { engine, url } = engineOf(links(10))
  const request = { url, formats: ['links', 'markdown'], onlyMainContent: false }
  const plain = await engine.unchecked.scrape(request)
  const encoded = await engine.unchecked.scrape(request, { encoded: true, keep: true })
  expect(isEncodedJson(encoded['links'])).toBe(true)
  expect(JSON.parse(JSON.stringify(encoded))).toEqual({ ...plain, metadata: expect.any(Object) })
  const { scrapeId } = encoded.metadata
  expect(await engine.results.find(scrapeId)).toMatchObject({ links: plain['links'], markdown: plain['markdown'] })
})
