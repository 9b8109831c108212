import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { EngineError } from '@harvestman/core'
import type { ParseContext } from '@harvestman/core/plugin'
import { atOffset, damagedFile, damages } from '@harvestman/testing'
import { afterAll, describe, expect, test } from 'vitest'

import { longIf } from '../../../scripts/long-tests.ts'
import { pdf } from '../src/index.ts'
import { japanesePdf, table } from './cjk.ts'
import { bomb, hostileFiles, longPdf } from './hostile.ts'
import { documents } from './documents.ts'
import { lines } from './lines.ts'
import { makePdf, type PdfInput } from './make-pdf.ts'
import { engineFor, pdfReader, readPdf } from './read.ts'

const two: PdfInput = {
  pages: [{ texts: lines(72, 90, ['The first page.']) }, { texts: lines(72, 90, ['The second page.']) }],
}

const { read, close } = pdfReader()
afterAll(close)

function hostile(name: string): Uint8Array {
  const file = hostileFiles.find((each) => each.name === name)
  if (!file) throw new Error(`There is no file called ${name}.`)
  return file.bytes()
}

describe('a PDF', () => {
  test('costs a credit a page and says how many pages it has', { tags: ['long'] }, async () => {
    const { metadata } = await read(makePdf(two))
    expect(metadata).toMatchObject({ numPages: 2, totalPages: 2, creditsUsed: 2 })
  })

  test('is read up to maxPages, and costs what was read', async () => {
    const { markdown, metadata, warning } = await read(makePdf(two), { parsers: [{ type: 'pdf', maxPages: 1 }] })
    expect(markdown).toBe('The first page.')
    expect(metadata).toMatchObject({ numPages: 1, totalPages: 2, creditsUsed: 1 })
    expect(warning).toBeUndefined()
  })

  test('tells its title, author and date', async () => {
    const { metadata } = await read(makePdf(documents['headings'] ?? two))
    expect(metadata).toMatchObject({
      title: 'Harvestmen',
      author: 'A. Reader',
      publishedTime: '2024-02-03T03:05:06.000Z',
    })
  })

  test('that tells no title is called what its first heading says', async () => {
    const { metadata } = await read(makePdf(documents['two-columns'] ?? two))
    expect(metadata.title).toBe('A title over both columns of the page, set in the middle')
  })

  test('gives its links, and HTML that says what the Markdown says', async () => {
    const { html, links } = await read(makePdf(documents['inline'] ?? two))
    expect(links).toEqual(['https://example.com/a?b=1&c=2'])
    expect(html).toContain('<strong>strong</strong>')
  })

  test.each([{ parsers: [] }, { parsePDF: false }])('comes as base64 for one credit with %o', async (request) => {
    const bytes = makePdf(two)
    const { markdown, metadata } = await read(bytes, request)
    expect(Buffer.from(String(markdown), 'base64').equals(Buffer.from(bytes))).toBe(true)
    expect(metadata.creditsUsed).toBe(1)
  })

  test('is known by its bytes, whatever its host calls it, and a page under its name is a page', async () => {
    await using honest = engineFor(makePdf(two), {}, 'text/html')
    expect((await honest.scrape({ url: 'https://files.test/x' })).markdown).toContain('The second page.')
    await using page = engineFor(new TextEncoder().encode('<!doctype html><title>T</title><p>Sign in first.'))
    expect((await page.scrape({ url: 'https://files.test/x.pdf' })).markdown).toBe('Sign in first.')
  })

  test('turned on its side reads like one that stands upright', async () => {
    const turned = {
      pages: [
        {
          texts: [1, 2, 3].map((line) => ({
            text: `Line ${line} of the page`,
            x: 100 + line * 12,
            y: 500,
            turned: 90,
          })),
        },
      ],
    }
    expect((await read(makePdf(turned))).markdown).toBe('Line 1 of the page Line 2 of the page Line 3 of the page')
  })

  test('loses what it marks as decoration itself', async () => {
    const texts = [
      ...lines(72, 90, ['What the page says in its only line.']),
      { text: 'a stamp', x: 72, y: 400, tag: 'Artifact' },
    ]
    expect((await read(makePdf({ pages: [{ texts }] }))).markdown).toBe('What the page says in its only line.')
  })
})

describe('each page by itself', () => {
  const parsers = (options: object) => ({ parsers: [{ type: 'pdf' as const, ...options }] })
  const broken: PdfInput = {
    pages: [
      { texts: lines(72, 90, ['A sentence of many words goes on', 'on the next page and does not']) },
      { texts: lines(72, 90, ['end before it is there.', 'Call anna@example.com.']) },
      { raw: '0 0 9 9 re f' },
    ],
  }

  test.each([{ pages: true }, { pageMarkdown: true }])(
    'is Markdown with %o, and the Markdown stays',
    async (option) => {
      const whole = await read(makePdf(broken))
      const { markdown, pages, metadata } = await read(makePdf(broken), parsers(option))
      expect(markdown).toBe(whole.markdown)
      expect(pages).toEqual([
        { pageNumber: 1, markdown: 'A sentence of many words goes on on the next page and does not' },
        { pageNumber: 2, markdown: 'end before it is there. Call anna@example.com.' },
        { pageNumber: 3, markdown: '' },
      ])
      expect(metadata).toMatchObject({ numPages: 3, creditsUsed: 3 })
      expect((await read(makePdf(broken), parsers({ pages: false, pageMarkdown: true }))).pages).toBeUndefined()
    },
  )

  test('is set apart in the Markdown with pageMarkers', async () => {
    const { markdown, pages } = await read(makePdf(two), parsers({ pageMarkers: true }))
    expect(markdown).toBe('The first page.\n\n---\n\n<!-- page 2 -->\n\nThe second page.')
    expect(pages).toBeUndefined()
  })

  test('has its parts with their place, also those that repeat at its edges', async () => {
    const { blocks, markdown } = await read(makePdf(documents['furniture'] ?? two), parsers({ blocks: true }))
    expect(blocks).toHaveLength(6)
    const first = blocks?.[0]
    expect(first).toMatchObject({ pageNumber: 1, status: 'ok', width: 1700, height: 2200 })
    expect(first?.items.map(({ id, type, readingOrder }) => [id, type, readingOrder])).toEqual([
      ['p1.b1', 'page_header', 0],
      ['p1.b2', 'text', 1],
      ['p1.b3', 'page_number', 2],
    ])
    const [header, text] = first?.items ?? []
    expect(header).toMatchObject({ content: 'Harvestmen of the world', markdownSpan: null, source: 'native_text' })
    const [left = 0, top = 0, right = 0, bottom = 0] = text?.bbox ?? []
    expect([left, top]).toEqual([expect.closeTo(72 / 612, 1), expect.closeTo(92 / 792, 1)])
    expect([right > left, bottom > top]).toEqual([true, true])
    const [start = 0, end = 0] = text?.markdownSpan ?? []
    expect((markdown as string).slice(start, end)).toBe(text?.content)
  })

  test('has no place in the Markdown for a page number that is also in the text', async () => {
    const numbered = (number: number) => ({
      texts: [
        ...lines(72, 300, [`In 20${number}5 there was page ${number} of the book.`]),
        { text: `${number}`, x: 300, y: 760, size: 8 },
      ],
    })
    const book = makePdf({ pages: [1, 2, 3, 4].map(numbered) })
    const { blocks, markdown } = await read(book, parsers({ blocks: true }))
    const items = blocks?.flatMap((page) => page.items) ?? []
    const spans = items.map(({ markdownSpan }) => markdownSpan && (markdown as string).slice(...markdownSpan))
    expect(spans).toEqual(items.map(({ type, content }) => (type === 'text' ? content : null)))
    expect(items.map(({ type }) => type)).toContain('page_number')
  })

  test.each([
    ['headings', ['title', 'section_header']],
    ['ruled-table', ['table']],
    ['code', ['code', 'text']],
    ['lists', ['list_item']],
  ])('has the kinds of its parts: %s', async (name, types) => {
    const { blocks } = await read(makePdf(documents[name] ?? two), parsers({ blocks: true }))
    expect(blocks?.flatMap(({ items }) => items.map(({ type }) => type))).toEqual(expect.arrayContaining(types))
  })

  test('has no personal data with redactPII', async () => {
    const asked = { ...parsers({ pages: true, blocks: true, pageMarkers: true }), redactPII: true as const }
    const document = await read(makePdf(broken), asked)
    expect(JSON.stringify([document.markdown, document.pages, document.blocks])).not.toContain('anna@')
    expect(document.pages?.[1]?.markdown).toContain('<EMAIL>')
  })
})

test('a PDF whose pages all carry the same line and nothing else has that line', async () => {
  const page = { texts: lines(72, 40, ['Confidential draft']) }
  expect((await read(makePdf({ pages: [page, page, page, page] }))).markdown).toContain('Confidential draft')
})

describe('a scan', () => {
  const scan = hostile('a scan: no text at all')

  test('is empty with a warning, and never invented', async () => {
    const { markdown, warning } = await read(scan)
    expect(markdown).toBe('')
    expect(warning).toContain('need OCR')
  })

  test('is refused in the mode fast, with the reason as data', async () => {
    const refused = read(scan, { parsers: [{ type: 'pdf', mode: 'fast' }] })
    await expect(refused).rejects.toMatchObject({ code: 'unsupported_file', details: { reason: 'ocr_required' } })
  })

  test('cannot be asked for with OCR', async () => {
    const refused = read(scan, { parsers: [{ type: 'pdf', mode: 'ocr' }] })
    await expect(refused).rejects.toMatchObject({ code: 'not_configured' })
  })

  test('of some pages only names them', async () => {
    const { warning } = await read(makePdf({ pages: [...two.pages, { raw: '0 0 9 9 re f' }] }))
    expect(warning).toBe('Page 3 of the PDF had no text: empty pages, or images that need OCR.')
  })
})

describe('a locked PDF', () => {
  const locked = hostile('encrypted with a password')

  test('is refused with a typed answer', async () => {
    await expect(read(locked)).rejects.toMatchObject({ code: 'unsupported_file', details: { reason: 'encrypted' } })
  })

  test('opens with the password of the plugin', { tags: ['long'] }, async () => {
    expect((await readPdf(locked, {}, { password: 'secret' })).markdown).toContain('This page says something')
  })

  test('that is locked for changes only is read', async () => {
    expect((await read(hostile('locked against changes only'))).markdown).toContain('This page says something')
  })
})

describe('a broken PDF', () => {
  test('without its end is read as far as it goes, and the lost pages are named', async () => {
    const { markdown, warning, metadata } = await read(hostile('truncated in the middle'))
    expect(markdown).toContain('This page says something')
    expect(metadata['numPages']).toBeGreaterThan(0)
    expect(metadata).not.toHaveProperty('totalPages')
    expect(warning).toMatch(
      /^The end of the PDF is missing: pages may be missing\. Pages \d+, \d+.* of the PDF could not be read\.$/,
    )
  })

  test('with changed bytes says which pages may have another text', async () => {
    const bytes = new Uint8Array(makePdf({ ...two, deflate: true }))
    for (const { index } of Buffer.from(bytes)
      .toString('latin1')
      .matchAll(/\n?endstream/g))
      bytes[index - 1]! ^= 1
    expect((await read(bytes)).warning).toBe('Pages 1, 2 of the PDF are damaged: text may be wrong or missing.')
  })

  test(
    'is read alike, or with a warning, or refused, however its packed bytes are damaged',
    { tags: ['long'] },
    async () => {
      const bytes = longPdf(3)
      const whole = await read(bytes)
      for (const damage of damages) {
        for (let seed = 0; seed < 8; seed += 1) {
          const result = await read(atOffset(damagedFile(bytes, damage, seed), seed % 4)).catch(
            (error: unknown) => error,
          )
          if (EngineError.is(result)) expect(result).toMatchObject({ code: 'unsupported_file' })
          else if (!(result as typeof whole).warning) expect((result as typeof whole).markdown).toBe(whole.markdown)
        }
      }
    },
  )

  test('with wrong places in its table of objects is read', async () => {
    const { markdown } = await read(hostile('wrong offsets in its object table'))
    expect(markdown).toContain('This page says something')
  })

  test.each(['only the first line', 'noise after the first line', 'a page tree that contains itself'])(
    'is refused with a typed answer: %s',
    async (name) => {
      await expect(read(hostile(name))).rejects.toMatchObject({
        code: 'unsupported_file',
        details: { reason: 'broken' },
      })
    },
  )
})

describe('a PDF that means harm', () => {
  test.each([
    'a script that runs when it is opened',
    'a script in the matrix of a font (CVE-2024-4367)',
    'claims a billion pages',
    'a form that draws itself',
    'a picture of 100,000 by 100,000 points',
  ])('says what is written on it and no more: %s', async (name) => {
    expect((await read(hostile(name))).markdown).toMatch(/^This page says something/)
  })

  test('that lists one page 100,000 times is read once, and says so', async () => {
    const { markdown, warning, metadata } = await read(hostile('one page, listed 100,000 times'), { timeout: 60_000 })
    expect(markdown).toBe('The first page.')
    expect(metadata).toMatchObject({ numPages: 1, totalPages: 100_000 })
    expect(warning).toMatch(
      /Only the first 1 of 10000 pages of the PDF were read before too many of them were the same\./,
    )
    expect(warning).toContain('repeat earlier pages and were left out')
  })

  test('with a page of too many letters gives its beginning, and says so', { tags: ['long'] }, async () => {
    const letters = hostile('a page of a hundred thousand characters, each with its own position')
    const { markdown, warning } = await read(letters, { timeout: 120_000 })
    expect(markdown).toMatch(/^This page says something/)
    expect(warning).toContain('Page 2 of the PDF had too much text to be read to the end.')
  })

  for (const layers of [1, 2, 3])
    test(
      `that unpacks to 100 MB in ${layers} layers is refused before it is unpacked`,
      longIf(layers !== 2),
      async () => {
        const refused = read(bomb(100, layers), { timeout: 60_000 })
        await expect(refused).rejects.toMatchObject({ code: 'page_too_complex', details: { reason: 'too_large' } })
      },
    )

  test('with one page that unpacks to too much gives its other pages, and says so', { tags: ['long'] }, async () => {
    const { markdown, warning } = await read(bomb(100, 2, two.pages), { timeout: 60_000 })
    expect(markdown).toBe('The first page.\n\nThe second page.')
    expect(warning).toBe('Page 1 of the PDF had too much text to be read to the end.')
  })
})

describe('a PDF whose fonts only name the tables of their letters', () => {
  test('says which pages could not be read, and is no scan', async () => {
    const { markdown, warning } = await read(japanesePdf())
    expect(markdown).toBe('This page is in Latin letters.')
    expect(warning).toMatch(
      /^Text is missing from page 2 of the PDF: its fonts do not map their glyphs to characters\./,
    )
    expect(warning).not.toContain('pictures')
  })

  test('is read where the plugin is given those tables', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cmaps-'))
    await writeFile(join(folder, table.name), table.bytes)
    const { markdown, warning } = await readPdf(japanesePdf(), {}, { cMaps: folder })
    await rm(folder, { recursive: true })
    expect(markdown).toContain('\u65e5\u65e6\u65e7\u65e8')
    expect(warning).toBeUndefined()
  })
})

/**
 * Gives more time until a first page is read: how long that takes is a matter of the machine. Twice as much each time, so that
 * what is left behind the first page is never more than what came before it, and all pages are not read.
 */
async function withEnough<T>(first: number, read: (time: number) => Promise<T>): Promise<T> {
  for (let time = first; ; time *= 2) {
    try {
      return await read(time)
    } catch (error) {
      if (time > first * 30 || !(error as Error).message.startsWith('Not one page')) throw error
    }
  }
}

describe('a PDF that takes longer than it may', () => {
  const long = longPdf(4_000)

  test(
    'is read for about half of the time that is left of its request, however long that was',
    { tags: ['long'] },
    async () => {
      const [parser] = pdf().parsers ?? []
      const request = { parsers: [], timeout: 300_000 } as unknown as ParseContext['request']
      const { signal } = new AbortController()
      const store = {} as ParseContext['store']
      // How much may be read is no matter here: a fast machine reads megabytes before the time is over.
      const most = { bytes: Infinity, values: Infinity }
      const port = () => undefined
      const context = { url: '', type: '', contentType: undefined, request, team: '', store, signal, most, port }
      const content = await withEnough(
        1_500,
        async (time) => await parser?.parse(long, { ...context, timeLeft: () => time }),
      )
      expect(content?.units).toBeGreaterThan(0)
      expect(content?.warnings).toEqual([
        expect.stringMatching(/of 4000 pages of the PDF were read before the time limit/),
      ])
    },
  )

  test('gives the pages that were read, and a warning', { tags: ['long'] }, async () => {
    const { markdown, metadata, warning } = await withEnough(700, (budget) => readPdf(long, {}, { budget }))
    const read = Number(metadata['numPages'])
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(4_000)
    expect(metadata).toMatchObject({ totalPages: 4_000, creditsUsed: read })
    expect(markdown).toContain(`${read - 1} 39`)
    expect(warning).toBe(`Only the first ${read} of 4000 pages of the PDF were read before the time limit was reached.`)
  })

  test('and is stopped inside a page still gives the pages before', { tags: ['long'] }, async () => {
    const strokes = Array.from(
      { length: 3_000 },
      (_, n) => `${n % 500} ${n % 700} m ${(n % 500) + 20} ${n % 700} l S\n`,
    )
    const pages = [...Array.from({ length: 300 }, () => two.pages[0] ?? {}), { raw: strokes.join('').repeat(1_000) }]
    const file = makePdf({ pages, deflate: true })
    const { metadata, warning } = await withEnough(1_500, (budget) => readPdf(file, { timeout: 60_000 }, { budget }))
    expect(Number(metadata['numPages'])).toBeGreaterThan(0)
    expect(metadata['totalPages']).toBe(301)
    expect(warning).toContain('before the time limit was reached.')
  })
})
