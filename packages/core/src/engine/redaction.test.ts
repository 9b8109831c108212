// The option redactPII: what is redacted, what is stored, what it costs, and what it says about the rest.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { scriptedLLM } from '@harvestman/testing'
import { jsonFormat } from '../formats/json.ts'
import { turndown } from '../formats/turndown.ts'
import { defineFormat, defineKeeper, defineLoader, defineParser, definePlugin } from '../plugin/define.ts'
import { markdown } from '../formats/markdown.ts'
import { rawHtml } from '../formats/raw-html.ts'
import { maxRedacted, redact } from '../redact/redact.ts'
import { createEngine } from './engine.ts'

const url = 'https://a.test/'
const mail = 'jo.doe@example.com'
const text = `Write to ${mail} or call +49 30 1234567. IBAN DE89 3704 0044 0532 0130 00, password: hunter2abc.`
const clean = 'Write to <EMAIL> or call <PHONE>. IBAN <FINANCIAL>, password: <SECRET>.'
const html = `<title>T</title><main><h1>Head</h1><p>${text}</p></main>`

const head = { status: 200, captured: {}, actions: {}, url, proxyUsed: 'basic', warnings: [] } as const
const loaderOf = (body: string, type = 'text/html') =>
  defineLoader({
    name: 'saved',
    cost: 0,
    load: async () => ({
      ...head,
      headers: { 'content-type': `${type}; charset=utf-8` },
      body: new TextEncoder().encode(body),
    }),
  })
const pages = definePlugin({ name: 'pages', loaders: [loaderOf(html)] })
const onlyNames = 'redactPII does not find names of people and places (PERSON, LOCATION).'

describe('A redacted scrape', () => {
  test('has tags in place of personal data, costs 4 more, and says that names are not found', async () => {
    await using engine = createEngine({ plugins: [pages] })
    const document = await engine.scrape({ url, redactPII: true })
    expect(document.markdown).toBe(`# Head\n\n${clean}`)
    expect(document.warning).toBe(onlyNames)
    expect(document.metadata.creditsUsed).toBe(5)
    expect(document).not.toHaveProperty('pii')
  })

  test.each([
    [{ entities: ['EMAIL'] }, text.replace(mail, '<EMAIL>')],
    [{ entities: ['EMAIL'], replaceStyle: 'mask' }, text.replace(mail, '*'.repeat(mail.length))],
    [{ entities: ['EMAIL'], replaceStyle: 'remove' }, text.replace(mail, '')],
    [{ entities: [] }, text],
    [false, text],
    [null, text],
  ] as const)('follows %j', async (redactPII, expected) => {
    await using engine = createEngine({ plugins: [pages] })
    const { markdown } = await engine.scrape({ url, redactPII })
    expect(markdown).toContain(expected)
  })

  test.each([
    ['PERSON', { entities: ['EMAIL', 'PERSON'] }],
    ['entities', { entities: ['SHOE_SIZE'] }],
    ['mode', { mode: 'off' }],
    ['redactPII', 'yes'],
    ['color', { color: 'red' }],
  ])('is refused by the name %s', async (name, redactPII) => {
    await using engine = createEngine({ plugins: [pages] })
    await expect(engine.scrape({ url, redactPII: redactPII as never })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(name),
    })
  })

  test('names the other formats, which are not redacted', async () => {
    await using engine = createEngine({ plugins: [pages] })
    const { warning, rawHtml } = await engine.scrape({
      url,
      redactPII: true,
      formats: ['markdown', 'rawHtml', 'links'],
    })
    expect(rawHtml).toContain(mail)
    expect(warning).toBe(`${onlyNames} redactPII changes only the Markdown: rawHtml, links may contain personal data.`)
  })

  test('gives models and keepers the redacted text, and no known values of the HTML', async () => {
    const llm = scriptedLLM([{ value: { email: '<EMAIL>' } }])
    const kept: string[] = []
    const asked: string[] = []
    const known = { find: async () => void asked.push('find'), learn: async () => void asked.push('learn') }
    const keeper = defineKeeper({
      name: 'copies',
      needs: { markdown },
      keep: async ({ markdown }) => void kept.push(markdown),
    })
    const plugin = definePlugin({
      name: 'own',
      formats: [jsonFormat(known as never)],
      keepers: [keeper],
      loaders: [
        loaderOf(
          html.replace(
            '<title>',
            `<script type="application/ld+json">{"@type":"Person","email":"${mail}"}</script><title>`,
          ),
        ),
      ],
    })
    await using engine = createEngine({ plugins: [plugin], llm })
    const schema = { type: 'object', properties: { email: { type: 'string' } } }
    const { json, warning } = await engine.scrape({
      url,
      redactPII: true,
      formats: [{ type: 'json', schema }],
    })
    expect(JSON.stringify(llm.questions)).toContain('Write to <EMAIL>')
    expect(JSON.stringify([json, llm.questions, kept])).not.toContain(mail)
    expect(kept).toEqual([expect.stringContaining(clean)])
    expect(asked).toEqual([])
    expect(warning).toBe(onlyNames)
  })

  test('stores nothing else in its result, its changes and its explanation', async () => {
    await using engine = createEngine({ plugins: [pages] })
    const scrape = async (redactPII: boolean) =>
      engine.scrape(
        { url, redactPII, formats: ['markdown', { type: 'changeTracking', modes: ['git-diff'] }] },
        { keep: true, explain: true },
      )
    const plain = await scrape(false)
    expect(JSON.stringify(plain.explain)).toContain(mail)
    const document = await scrape(true)
    expect(document.changeTracking).toMatchObject({ changeStatus: 'new' })
    expect(JSON.stringify(document)).not.toContain(mail)
    const stored = await engine.results.find(document.metadata.scrapeId)
    expect(stored.markdown).toContain(clean)
    expect(JSON.stringify(stored)).not.toContain(mail)
    expect(document.warning).toBe(onlyNames)
  })

  test('of a file is redacted too, and costs 4 more for each of its pages', async () => {
    const parser = defineParser({
      name: 'three',
      accepts: ['application/pdf'],
      parse: () => ({ markdown: text, units: 3 }),
    })
    await using engine = createEngine({ plugins: [definePlugin({ name: 'three', parsers: [parser] })] })
    const document = await engine.parse(new TextEncoder().encode('%PDF-1.7\n'), { redactPII: true })
    expect(document.markdown).toBe(clean)
    expect(document.metadata.creditsUsed).toBe(15)
    const plain = await engine.parse(new TextEncoder().encode(text), { name: 'a.txt', redactPII: true })
    expect(plain.markdown).toContain('Write to <EMAIL>')
  })

  test.each([
    ['a page', html.replace(text, 'word '.repeat(maxRedacted / 5 + 1)), 'text/html'],
    ['a text', 'word '.repeat(maxRedacted / 5 + 1), 'text/plain'],
  ])('of %s that is too long is empty, and the warning says why', async (_, body, type) => {
    await using engine = createEngine({
      plugins: [definePlugin({ name: 'long', loaders: [loaderOf(body, type)] })],
    })
    const { markdown, warning } = await engine.scrape({ url, redactPII: true })
    expect(markdown).toBe('')
    expect(warning).toMatch(/The Markdown is empty: redactPII reads at most 250000 characters/)
  })

  test('redacts the Markdown of turndown', async () => {
    await using engine = createEngine({ plugins: [pages, definePlugin({ name: 'other', formats: [turndown()] })] })
    const { markdown, warning } = await engine.scrape({ url, redactPII: true })
    expect(markdown).toContain(clean)
    expect(warning).toBe(onlyNames)
  })

  test('leaves out Markdown of turndown that is too long, with a warning', async () => {
    const long = definePlugin({
      name: 'long',
      loaders: [loaderOf(`<main><p>${`${text} `.repeat(Math.ceil(maxRedacted / text.length))}</p></main>`)],
    })
    await using engine = createEngine({ plugins: [long, definePlugin({ name: 'other', formats: [turndown()] })] })
    const { markdown, warning } = await engine.scrape({ url, redactPII: true })
    expect(markdown).toBe('')
    expect(warning).toMatch(/The Markdown is empty: redactPII reads at most 250000 characters/)
  })

  test('is refused where a plugin replaces the Markdown and does not redact', async () => {
    const own = (redacts: boolean) =>
      defineFormat({
        type: 'markdown',
        value: z.string(),
        redacts,
        needs: { rawHtml },
        derive: ({ rawHtml }, { request: { redactPII } }) =>
          redactPII && redacts ? redact(rawHtml, redactPII) : rawHtml,
      })
    const scrape = async (redacts: boolean) => {
      const plugin = definePlugin({ name: 'own-words', formats: [own(redacts)] })
      await using engine = createEngine({ plugins: [pages, plugin] })
      return await engine.scrape({ url, redactPII: true })
    }
    expect((await scrape(true)).markdown).toContain('Write to <EMAIL>')
    await expect(scrape(false)).rejects.toMatchObject({
      code: 'not_configured',
      message: 'redactPII is not supported by the format markdown of the plugin own-words.',
    })
  })
})

test('A batch redacts its pages', async () => {
  await using engine = createEngine({ plugins: [pages] })
  const job = await engine.batch({ urls: [url], redactPII: true })
  const documents: object[] = []
  for await (const document of job.documents()) documents.push(document)
  expect(documents).toMatchObject([{ markdown: expect.stringContaining(clean), metadata: { creditsUsed: 5 } }])
  expect(JSON.stringify(documents)).not.toContain(mail)
})
