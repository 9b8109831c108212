import { blocksOf, choose, cutMarkdown, linkTo, measures, type Chunk, type CutOptions } from '@harvestman/chunks'
import { createEngine } from '@harvestman/core'
import { defineParser, definePlugin } from '@harvestman/core/plugin'
import type { Fetcher } from '@harvestman/ports'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { data } from '../plugin.ts'

const { signal } = new AbortController()
const inCharacters = { size: 200, overlap: 0, by: 'size', measure: measures.characters } satisfies CutOptions
const cut = (markdown: string, options: Partial<CutOptions> = {}): Promise<readonly Chunk[]> =>
  cutMarkdown(markdown, { ...inCharacters, ...options }, signal)

const sentence = (number: number): string => `Sentence ${number} says what its number ${number * number} is.`
const paragraph = (number: number): string => [1, 2, 3].map((part) => sentence(number * 10 + part)).join(' ')
const section = (number: number): string =>
  `## Section ${number}\n\n${paragraph(number)}\n\n- One of ${number}\n- Two of ${number}\n\n${paragraph(number + 100)}`
const table = (rows: number): string =>
  `| Name | Price |\n| --- | --- |\n${Array.from({ length: rows }, (_, row) => `| Lamp ${row} | ${row} EUR |`).join('\n')}`
const code = (lines: number): string =>
  `\`\`\`ts\n${Array.from({ length: lines }, (_, line) => `const value${line} = ${line}\n`).join('\n')}\`\`\``

test.each([
  ['# A\n\nText\nof two lines.\n\nMore.', ['heading', 'paragraph', 'paragraph']],
  ['- One\n\n  still one\n- Two\n  - inside\n\nText', ['item', 'item', 'paragraph']],
  ['```\n# no heading\n\n- no item\n```\nText', ['code', 'paragraph']],
  ['1. One\n\n   ```\n   code\n\nno indent\n   ```\n2. Two', ['item', 'item']],
  ['Text\n| a |\n| - |\n| b |\nText', ['paragraph', 'table', 'paragraph']],
  ['Text\n\n| a |\n| - |\n| b |\n\nText', ['paragraph', 'table', 'paragraph']],
  ['<table>\n<tr><td>\n\n# in a cell\n\n</td></tr>\n</table>\n\nText', ['table', 'paragraph']],
  ['~~~~\n~~~\n~~~~\n# A', ['code', 'heading']],
  ['\n\n# A', ['heading']],
  ['', []],
])('the blocks of %j are %j and cover all of it', (markdown, kinds) => {
  const blocks = [...blocksOf(markdown)]
  expect(blocks.map(({ kind }) => kind)).toEqual(kinds)
  expect(blocks.map(({ start, end }) => markdown.slice(start, end)).join('')).toBe(markdown)
})

test('The chunks of a file have their pages and boxes with the option blocks', async () => {
  const first = { type: 'text', content: paragraph(1), bbox: [0.1, 0.1, 0.9, 0.2] } as const
  const second = { type: 'text', content: paragraph(2), bbox: [0.1, 0.5, 0.8, 0.6] } as const
  const parser = defineParser({
    name: 'pdf',
    accepts: ['application/pdf'],
    parse: () => ({
      html: `<p>${paragraph(1)}</p><p>${paragraph(2)}</p>`,
      isAllContent: true,
      pages: [
        { number: 1, html: '', status: 'ok', blocks: [first] },
        { number: 2, html: '', status: 'ok', blocks: [second] },
      ],
    }),
  })
  await using engine = createEngine({ plugins: [data(), definePlugin({ name: 'files', parsers: [parser] })] })
  const file = new TextEncoder().encode('%PDF-1.7')
  const read = async (blocks: boolean) =>
    await engine.parse(file, { formats: [{ type: 'chunks', size: 100 }], parsers: [{ type: 'pdf', blocks }] })
  expect((await read(true)).chunks).toMatchObject([
    {
      page: 1,
      places: [
        { page: 1, box: [0.1, 0.1, 0.9, 0.2] },
        { page: 2, box: [0.1, 0.5, 0.8, 0.6] },
      ],
    },
  ])
  expect((await read(false)).chunks[0]).not.toHaveProperty('places')
})

describe('chunks', () => {
  const part = fc.oneof(
    fc.integer({ min: 1, max: 999 }).map(paragraph),
    fc.integer({ min: 1, max: 999 }).map(section),
    fc.integer({ min: 1, max: 30 }).map(table),
    fc.integer({ min: 1, max: 30 }).map(code),
    fc.array(fc.string({ maxLength: 300 }), { maxLength: 9 }).map((all) => all.map((text) => `### ${text}`).join('\n')),
    fc.string({ unit: 'binary', maxLength: 600 }),
  )
  const options = fc.record({
    size: fc.integer({ min: 20, max: 600 }),
    by: fc.constantFrom('size' as const, 'heading' as const),
    measure: fc.constantFrom(...Object.values(measures)),
  })

  test('are together the document, whatever is in it, and each has an id of its own', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), options, async (parts, given) => {
        const markdown = parts.join('\n\n')
        const chunks = await cut(markdown, { ...given, overlap: Math.floor(given.size / 4) })
        // A document of white space alone has no chunks.
        const whole = markdown.trim() === '' ? '' : markdown
        expect(chunks.map(({ start, end }) => markdown.slice(start, end)).join('')).toBe(whole)
        expect(new Set(chunks.map(({ id }) => id)).size).toBe(chunks.length)
        const all = chunks.map(({ start, end }) => given.measure(markdown.slice(start, end).trim()))
        expect(all.filter((size) => size > given.size)).toEqual([])
        for (const { text, start, end, overlap } of chunks)
          expect(markdown.slice(start - overlap, end).trimEnd()).toBe(text)
      }),
      { numRuns: 200 },
    )
  })

  test('are as large as they may be, and begin at headings where they can', async () => {
    const chunks = await cut(Array.from({ length: 20 }, (_, number) => section(number)).join('\n\n'), { size: 600 })
    expect(chunks.filter(({ size }) => size > 600)).toEqual([])
    expect(chunks.filter(({ size }) => size < 300).length).toBeLessThanOrEqual(1)
    expect(chunks.filter(({ text }) => !text.startsWith('## '))).toEqual([])
  })

  test('have the headings above them', async () => {
    const markdown = `# Book\n\n## First\n\n${paragraph(1)}\n\n### Inner\n\n${paragraph(2)}\n\n## Second\n\n${paragraph(3)}`
    expect((await cut(markdown)).map(({ headings }) => headings)).toEqual([
      ['Book', 'First'],
      ['Book', 'First', 'Inner'],
      ['Book', 'Second'],
    ])
  })

  test('begin at every heading with `by: heading`, except at the first text below several headings', async () => {
    const markdown = '# Book\n\n## First\n\nShort.\n\n## Second\n\nShort, too.\n\n# End'
    expect((await cut(markdown, { by: 'heading' })).map(({ text }) => text)).toEqual([
      '# Book\n\n## First\n\nShort.',
      '## Second\n\nShort, too.',
      '# End',
    ])
  })

  test('do not end with a heading of at most half of their size, even if the text below it is large', async () => {
    const markdown = `${paragraph(1)}\n\n## ${'A long heading '.repeat(5)}\n\n${paragraph(2)}`
    for (const size of [170, 200, 250, 300])
      for (const { text } of await cut(markdown, { size })) expect(text.split('\n').at(-1)).not.toMatch(/^#/)
  })

  test('keep tables and code whole, and say where these are too large for one', async () => {
    const whole = await cut(`${paragraph(1)}\n\n${table(5)}\n\n${paragraph(2)}\n\n${code(5)}`)
    expect(whole.map(({ cut }) => cut)).toEqual([undefined, undefined, undefined, undefined])
    const tables = await cut(table(30))
    expect(tables.length).toBeGreaterThan(2)
    expect(new Set(tables.map(({ cut }) => cut))).toEqual(new Set(['table']))
    expect(tables.map(({ tableHead }) => tableHead)).toEqual([
      undefined,
      ...tables.slice(1).map(() => '| Name | Price |\n| --- | --- |'),
    ])
    expect(tables.flatMap(({ text }) => text.split('\n')).filter((line) => !/^\|.*\|$/.test(line))).toEqual([])
    expect(new Set((await cut(code(30))).map(({ cut }) => cut))).toEqual(new Set(['code']))
  })

  test('keep a table that is written as HTML whole, and repeat its first rows where it is too large for one', async () => {
    const html = (rows: number): string =>
      `<table>\n<tr><th rowspan="2">Lamp</th><th colspan="2">Price</th></tr>\n<tr><th>EUR</th><th>USD</th></tr>\n${Array.from({ length: rows }, (_, row) => `<tr><td>Lamp ${row}</td><td>${row}</td><td>1</td></tr>`).join('\n')}\n</table>`
    const whole = await cut(`${paragraph(1)}\n\n${html(1)}\n\n${paragraph(2)}`)
    expect(whole.map(({ text, cut }) => [text.split('\n').length, cut])).toEqual([
      [1, undefined],
      [5, undefined],
      [1, undefined],
    ])
    const tables = await cut(html(30))
    expect(new Set(tables.map(({ cut }) => cut))).toEqual(new Set(['table']))
    const head = html(0).split('\n').slice(0, 3).join('\n')
    expect(tables.map(({ tableHead }) => tableHead)).toEqual([undefined, ...tables.slice(1).map(() => head)])
    expect(tables.flatMap(({ text }) => text.split('\n')).filter((line) => !/^<.*>$/.test(line))).toEqual([])
  })

  test('repeat the end of the chunk before them, in whole sentences, but not before a heading', async () => {
    const markdown = [1, 2, 3, 4, 5].map(paragraph).join('\n\n')
    const chunks = await cut(markdown, { overlap: 60 })
    expect(chunks.length).toBeGreaterThan(3)
    for (const [index, { text, overlap }] of chunks.entries())
      expect([overlap > 0, text.startsWith('Sentence ')]).toEqual([index > 0, true])
    const sections = await cut([1, 2, 3].map(section).join('\n\n'), { overlap: 60, by: 'heading', size: 600 })
    expect(sections.map(({ overlap }) => overlap)).toEqual([0, 0, 0])
  })

  test('of headings alone are not larger than others, and their headings are not repeated at any length', async () => {
    const markdown = Array.from({ length: 200 }, (_, number) => `### [Product ${number}](/p/${number})`).join('\n')
    for (const by of ['size', 'heading'] as const) expect((await cut(markdown, { by })).length).toBeGreaterThan(20)
    const long = await cut(`# ${'long '.repeat(100)}\n\n${paragraph(1)}`, { size: 2_000 })
    expect(long.map(({ headings }) => headings.map(({ length }) => length))).toEqual([[200]])
  })

  test('let other work run, also in a page that is made to take long', async () => {
    const markdown = `\`\`\`\n${'['.repeat(400_000)}\n\`\`\``
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    for (const { text } of await cut(markdown, { size: 32_000 }))
      expect(linkTo('https://a.test/', text)).toBe('https://a.test/')
    clearInterval(timer)
    expect(turns).toBeGreaterThan(0)
  })

  test('far from a change keep their ids', async () => {
    const parts = Array.from({ length: 120 }, (_, number) => (number % 7 === 0 ? section(number) : paragraph(number)))
    const before = await cut(parts.join('\n\n'), { size: 500 })
    const after = await cut([paragraph(900), ...parts.with(60, paragraph(901))].join('\n\n'), { size: 500 })
    const ids = new Set(before.map(({ id }) => id))
    expect(after.filter(({ id }) => !ids.has(id)).length).toBeLessThanOrEqual(8)
  })

  test('of a text without spaces do not cut a character', async () => {
    const chunks = await cut('😀'.repeat(500), { size: 51 })
    expect(chunks.map(({ text }) => text).join('')).toBe('😀'.repeat(500))
    expect(chunks.filter(({ text, size }) => !text.isWellFormed() || size > 51)).toEqual([])
  })
})

test.each([
  ['## A *short* title', 'A%20short%20title'],
  [
    '[Linked](https://b.test/x) words, and-more\n\nOf the end of a long passage.',
    'Linked%20words%2C%20and%2Dmore,end%20of%20a%20long%20passage.',
  ],
  [
    '![picture](x.png)\n\n- One \\*two\\* three four five six',
    'One%20*two*%20three%20four%20five,*two*%20three%20four%20five%20six',
  ],
])('the passage %j is linked as %s', (passage, fragment) => {
  expect(linkTo('https://a.test/page#old', passage)).toBe(`https://a.test/page#:~:text=${fragment}`)
})

test('A passage without words is linked as its page', () => {
  expect(linkTo('https://a.test/', '---\n\n![](x.png)')).toBe('https://a.test/')
})

test('The format has the chunks of the Markdown of the page', async () => {
  const html = `<title>T</title><main><h1>Lamps</h1><p>${paragraph(1)}</p><h2>Old</h2><p>${paragraph(2)}</p></main>`
  const fetcher = (): Fetcher => ({
    exchange: async () => ({
      status: 200,
      headers: [['content-type', 'text/html']],
      body: new TextEncoder().encode(html),
    }),
    close: async () => undefined,
  })
  await using engine = createEngine({ fetcher, plugins: [data()] })
  const url = 'https://site.test/'
  const request = { url, formats: ['markdown', { type: 'chunks', size: 40, unit: 'tokens' }] } as const
  const { markdown, chunks } = await engine.scrape(request)
  expect(chunks.map(({ headings }) => headings)).toEqual([['Lamps'], ['Lamps', 'Old']])
  expect(chunks.map(({ start, end }) => markdown.slice(start, end)).join('')).toBe(markdown)
  expect(chunks[1]?.url).toMatch(`${url}#:~:text=Old,`)
  await expect(engine.scrape({ url, formats: [{ type: 'chunks', size: 40, overlap: 30 }] })).rejects.toThrow(
    'overlap is 30, and may be at most half of size, which is 40',
  )
  const format = { type: 'chunks', size: 40, budget: 45, query: 'old' } as const
  const chosen = await engine.scrape({ url, formats: [format] }, { explain: true })
  expect(chosen.chunks.map(({ headings }) => headings)).toEqual([['Lamps', 'Old']])
  expect(chosen.explain?.formats?.['chunks']).toMatchObject({ omitted: [{ id: chunks[0]?.id, headings: ['Lamps'] }] })
})

describe('a budget', () => {
  const texts = [
    'A lamp of oak.',
    'The price of the lamp is 20 EUR.',
    'Ein Café in Zürich.',
    '東京の天気は晴れです',
    'A chair.',
  ]
  const all = texts.map((text, index) => ({ text, headings: index === 4 ? ['Prices'] : [], size: 10 }))
  const chosen = async (budget: number, query?: string) =>
    (await choose(all, { budget, query }, signal)).map(({ text }) => texts.indexOf(text))

  test('is filled with the chunks that match the query best, in their order', async () => {
    expect(await chosen(10, 'What is the price?')).toEqual([1])
    expect(await chosen(20, 'CAFE zurich')).toEqual([0, 2])
    expect(await chosen(10, '天気')).toEqual([3])
    expect(await chosen(10, 'prices')).toEqual([4])
    expect(await chosen(20, 'lamp')).toEqual([0, 1])
  })

  test('without a query, or with one that nothing matches, is filled with the beginnings of sections, the upper levels first', async () => {
    expect(await chosen(25)).toEqual([0, 4])
    expect(await chosen(25, 'nothing ☺')).toEqual([0, 4])
    const large = { text: 'a', headings: [], size: 30 }
    expect(await choose([large, ...all], { budget: 20 }, signal)).toEqual([all[0], all[4]])
    expect(await choose([], { budget: 20, query: 'lamp' }, signal)).toEqual([])
  })
})
