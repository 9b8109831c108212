import { describe, expect, test } from 'vitest'

import { createEngine } from './engine.ts'
import { addressOfFile } from '../loaders/given.ts'
import { defineParser, definePlugin } from '../plugin/define.ts'
import type { MakeFetcher } from '@harvestman/ports'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const page = bytesOf(
  '<title>Lamp</title><main><h1>Lamp</h1><p>It costs EUR 12. <a href="more">More</a></p></main><nav>Menu</nav>',
)
const offline: MakeFetcher = () => ({
  exchange: () => Promise.reject(new Error('Nothing may be loaded.')),
  close: async () => undefined,
})
const engineWith = (options: Parameters<typeof createEngine>[0] = {}) => createEngine({ fetcher: offline, ...options })
const pages = defineParser({
  name: 'pages',
  accepts: ['application/pdf'],
  parse: () => ({ markdown: 'Three pages', units: 3 }),
})

describe('A file that is given', () => {
  test('becomes a document as a page does, and nothing is loaded', async () => {
    await using engine = engineWith()
    const { markdown, metadata } = await engine.parse(page, { name: 'shop/lamp.html' })
    expect(markdown).toContain('# Lamp')
    expect(markdown).not.toContain('Menu')
    expect(metadata).toMatchObject({ title: 'Lamp', sourceURL: 'lamp.html', statusCode: 200, creditsUsed: 1 })
  })

  test('has its name as source, as it was given', async () => {
    await using engine = engineWith()
    const { metadata } = await engine.parse(page, { name: 'shop/Lampe 100 %.html' })
    expect(metadata.sourceURL).toBe('Lampe 100 %.html')
  })

  test('takes its links from the address it is said to be from', async () => {
    await using engine = engineWith()
    const { links } = await engine.parse(page, { url: 'https://shop.test/lamps/1', formats: ['links'] })
    expect(links).toEqual(['https://shop.test/lamps/more'])
  })

  test('is what its bytes say, whatever it is called, and what its name says where they do not', async () => {
    await using engine = engineWith({ plugins: [definePlugin({ name: 'pages', parsers: [pages] })] })
    const pdf = bytesOf('%PDF-1.7\n1 0 obj\n')
    const read = await engine.parse(pdf, { name: 'page.html', contentType: 'text/html' })
    expect(read.markdown).toBe('Three pages')
    expect((await engine.parse(page, { name: 'paper.pdf', contentType: 'application/pdf' })).markdown).toMatch(/# Lamp/)
    expect((await engine.parse(bytesOf('a,b\n1,2'), { name: 'table.csv' })).markdown).toContain('| a | b |')
  })

  test('costs as many credits as it has pages', async () => {
    await using engine = engineWith({ plugins: [definePlugin({ name: 'pages', parsers: [pages] })] })
    expect((await engine.parse(bytesOf('%PDF-1.7\n'))).metadata.creditsUsed).toBe(3)
    expect((await engine.usage()).used).toBe(3)
  })

  test('is kept and found again like a scrape, and is no copy of its address', async () => {
    await using engine = engineWith({ defaults: { maxAge: 60_000 } })
    const url = 'https://shop.test/'
    const { metadata } = await engine.parse(page, { url }, { keep: true })
    expect((await engine.results.find(metadata.scrapeId)).markdown).toContain('Lamp')
    await expect(engine.results.find(metadata.scrapeId, { team: 'other' })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(engine.scrape({ url, minAge: 0 })).rejects.toMatchObject({ code: 'not_cached' })
  })

  test.each([
    ['of a format that needs a page', { formats: ['screenshot'] }, 'do not support screenshot'],
    ['of an alias of one', { formats: ['screenshot@fullPage'] }, 'do not support screenshot'],
    ['of a history of pages', { formats: ['markdown', { type: 'changeTracking' }] }, 'do not support change tracking'],
    ['of actions', { actions: [{ type: 'scrape' }] }, 'do not support actions'],
    ['of a wait', { waitFor: 100 }, 'do not support waitFor'],
    ['of a copy', { maxAge: 1 }, 'do not support maxAge'],
    ['of a proxy', { proxy: 'stealth' }, 'do not support proxy'],
  ])('is refused by name what is asked %s', async (_, request, named) => {
    await using engine = engineWith()
    const message = expect.stringContaining(named) as string
    await expect(engine.unchecked.parse(page, request)).rejects.toMatchObject({ code: 'not_for_files', message })
  })

  test('is read when a client sends options of pages that are off', async () => {
    await using engine = engineWith()
    const off = { actions: [], waitFor: 0, mobile: false, location: null }
    await expect(engine.unchecked.parse(page, off)).resolves.toMatchObject({ metadata: { statusCode: 200 } })
  })

  test.each([
    ['an unknown key', page, { colour: 1 }, /colour/],
    ['an unknown format', page, { formats: ['picture'] }, /picture/],
    ['no bytes', new Uint8Array(), {}, /empty/],
    ['an address of no page', page, { url: 'file:///etc/passwd' }, /unsupported protocol/],
  ])('is refused with %s', async (_, bytes, request, message) => {
    await using engine = engineWith()
    await expect(engine.unchecked.parse(bytes, request)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(message) as string,
    })
  })

  test('is held to the largest body', async () => {
    await using engine = engineWith({ limits: { bodyBytes: 100 } })
    await expect(engine.parse(page)).rejects.toMatchObject({ code: 'response_too_large' })
  })
})

test.each([
  [{ name: '../../etc/pass wd' }, 'upload:///pass%20wd'],
  [{ name: 'C:\\papers\\a?b#c.pdf' }, 'upload:///a%3Fb%23c.pdf'],
  [{ name: '\ud800' }, 'upload:///%EF%BF%BD'],
  [{}, 'upload:///file'],
  [{ name: '/' }, 'upload:///file'],
])('%j is called %s', (file, address) => {
  expect(addressOfFile({ bytes: page, ...file })).toBe(address)
})
