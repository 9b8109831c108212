import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { SitemapEntry } from './sitemap-entry.ts'
import { scanSitemap } from './sitemap-scan.ts'

function scan(file: string | Uint8Array, { piece = Infinity, most = 50_000 } = {}): SitemapEntry[] {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file
  const entries: SitemapEntry[] = []
  const { feed, end } = scanSitemap({ most, entry: (entry) => void entries.push(entry) })
  for (let at = 0; at < bytes.length; at += piece) if (!feed(bytes.subarray(at, at + piece))) break
  end()
  return entries
}

const urlsOf = (file: string | Uint8Array): string[] => scan(file).map(({ url }) => url)
const set = (content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${content}</urlset>`
const page = 'https://a.example/x'
const one = set(`<url><loc>${page}</loc></url>`)

function wide(text: string, isLittle: boolean, hasMark: boolean): Buffer {
  const bytes = Buffer.from((hasMark ? '\ufeff' : '') + text, 'utf16le')
  return isLittle ? bytes : bytes.swap16()
}

describe('one page is found in', () => {
  const files: Readonly<Record<string, string | Uint8Array>> = {
    'a plain sitemap': one,
    'one without a head': `<urlset><url><loc>${page}</loc></url></urlset>`,
    'one with a prefix': `<sm:urlset xmlns:sm="x"><sm:url><sm:loc>${page}</sm:loc></sm:url></sm:urlset>`,
    'one in capitals': `<URLSET><URL><LOC>${page}</LOC></URL></URLSET>`,
    'one with blanks around the address': set(`<url>\n  <loc>\n\t${page}\r\n </loc ></url>`),
    'one with attributes': set(`<url x="a>b" y='>'><loc lang="de">${page}</loc></url>`),
    'one with a section of raw text': set(`<url><loc><![CDATA[${page}]]></loc></url>`),
    'one with a comment in the address': set(`<url><loc>${page}<!-- <loc>https://a.example/no</loc> --></loc></url>`),
    'one that was commented out around it': set(
      `<!--<url><loc>https://a.example/no</loc></url>--><url><loc>${page}</loc></url>`,
    ),
    'one with a mark at its beginning': `\ufeff${one}`,
    'one with blanks at its beginning': `\n \t${one}`,
    'one in UTF-16 with a mark': wide(one, true, true),
    'one in UTF-16, the other way round': wide(one, false, true),
    'one in UTF-16 without a mark': wide(one, true, false),
    'one that says UTF-16 and is not': one.replace('UTF-8', 'UTF-16'),
    'one without its last tags': one.slice(0, one.indexOf('</url>')),
    'one without the ends of its entries': `<urlset><url><loc>${page}`.concat('</loc><lastmod>2026'),
    'one with a stray sign': set(`<url><loc>${page}</loc><x> 1 < 2 & 3 </x></url>`),
    'one with pictures and films': set(
      `<url><loc>${page}</loc><image:image><image:loc>https://a.example/i.png</image:loc></image:image><video:video><video:player_loc>https://a.example/p</video:player_loc></video:video></url>`,
    ),
    'one with versions in other languages': set(
      `<url><loc>${page}</loc><xhtml:link rel="alternate" hreflang="de" href="https://a.example/de"/></url>`,
    ),
    'a list of addresses': `${page}\n`,
    'a list without a last line end, with a mark': `\ufeff${page}`,
    RSS: `<rss><channel><link>https://a.example/</link><item><title>T</title><link>${page}</link><guid>1</guid></item></channel></rss>`,
    'RSS 1.0': `<rdf:RDF><channel/><item rdf:about="x"><link>${page}</link></item></rdf:RDF>`,
    Atom: `<feed><link href="https://a.example/"/><entry><link rel="edit" href="https://a.example/e"/><link rel='alternate' href='${page}'/></entry></feed>`,
    'one with a document type': `<!DOCTYPE urlset [<!ENTITY x "y"> <!ELEMENT loc (#PCDATA)>]>${one}`,
    'one with a document type elsewhere': `<!DOCTYPE urlset SYSTEM "https://b.example/x.dtd">${one}`,
  }

  test.each(Object.entries(files))('%s', (_name, file) => {
    expect(urlsOf(file)).toEqual([page])
  })

  test.each(Object.entries(files))('%s, whatever pieces it comes in', (_name, file) => {
    for (const piece of [1, 2, 3, 7, 64]) expect(scan(file, { piece })).toEqual(scan(file))
  })
})

describe('nothing is found in', () => {
  test.each([
    ['nothing', ''],
    ['a web page', `<!doctype html><html><body><a href="${page}">x</a><loc>${page}</loc></body></html>`],
    ['JSON', `{"loc": "${page}"}`],
    ['zeros', Buffer.alloc(10_000)],
    ['an address that is not over', `<urlset><url><loc>${page}`],
    ['an empty sitemap', set('')],
    ['an address longer than any', set(`<url><loc>https://a.example/${'x'.repeat(40_000)}</loc></url>`)],
  ])('%s', (_name, file) => {
    expect(urlsOf(file)).toEqual([])
  })
})

test('an address is written as it is meant', () => {
  expect(urlsOf(set('<url><loc>https://a.example/?a=1&amp;b=&#50;&#x33;&quot;&lt;</loc></url>'))).toEqual([
    'https://a.example/?a=1&b=23"<',
  ])
  expect(urlsOf(set('<url><loc>https://a.example/?a=1&b=2</loc></url>'))).toEqual(['https://a.example/?a=1&b=2'])
  expect(urlsOf(set('<url><loc>https://a.example/?a=1&constructor;</loc></url>'))).toEqual([
    'https://a.example/?a=1&constructor;',
  ])
  expect(urlsOf(set('<url><loc><![CDATA[https://a.example/?a&amp;b]]></loc></url>'))).toEqual([
    'https://a.example/?a&amp;b',
  ])
  expect(urlsOf(set('<url><loc>https://a.example/ä</loc></url>'))).toEqual(['https://a.example/ä'])
  const latin = Buffer.from(one.replace('UTF-8', 'ISO-8859-1').replace('/x<', '/ä<'), 'latin1')
  expect(urlsOf(latin)).toEqual(['https://a.example/ä'])
  expect(urlsOf(Buffer.from(one.replace('/x<', '/ä<'), 'latin1'))).toEqual(['https://a.example/ä'])
})

test('what is said of a page is taken along, the headline before the names of its pictures', () => {
  const file = set(`<url><loc>${page}</loc><image:image><image:title>Picture</image:title></image:image>
    <news:news><news:title>Head &amp; line</news:title></news:news><video:title>Film</video:title>
    <lastmod>2026-01-02</lastmod></url><url><loc>https://a.example/y</loc></url>`)
  expect(scan(file)).toEqual([
    { kind: 'page', url: page, title: 'Head & line', changedAt: Date.UTC(2026, 0, 3) - 1 },
    { kind: 'page', url: 'https://a.example/y', title: undefined },
  ])
  const feed = `<rss><channel><title>All</title><item><title><![CDATA[One]]></title><link>${page}</link><pubDate>Mon</pubDate></item></channel></rss>`
  expect(scan(feed)).toEqual([{ kind: 'page', url: page, title: 'One' }])
})

test('an index names sitemaps', () => {
  const file = `<sitemapindex><sitemap><loc>https://a.example/1.xml</loc><lastmod>2026</lastmod></sitemap><sitemap><loc>https://a.example/2.xml</loc></sitemap></sitemapindex>`
  expect(scan(file).map(({ kind, url }) => [kind, url])).toEqual([
    ['sitemap', 'https://a.example/1.xml'],
    ['sitemap', 'https://a.example/2.xml'],
  ])
})

test('an entry that lacks its end does not swallow the next', () => {
  expect(
    urlsOf('<urlset><url><loc>https://a.example/1</loc><url><loc>https://a.example/2</loc></urlset>'),
  ).toHaveLength(2)
  expect(urlsOf('<urlset><loc>https://a.example/1</loc><loc>https://a.example/2</loc></urlset>')).toHaveLength(2)
  expect(urlsOf('<urlset><url><loc>https://a.example/1<loc>https://a.example/2</loc></urlset>')).toHaveLength(2)
})

test('no more is taken than was asked for, and then the file is left', () => {
  const entries: string[] = []
  const { feed, end } = scanSitemap({ most: 3, entry: ({ url }) => void entries.push(url) })
  const many = Array.from({ length: 10 }, (_, index) => `<url><loc>https://a.example/${index}</loc></url>`).join('')
  expect(feed(Buffer.from(`<urlset>${many}`))).toBe(false)
  end()
  expect(entries).toHaveLength(3)
  expect(scan(`${page}\n`.repeat(10), { most: 3 })).toHaveLength(3)
})

describe('what an attacker writes', () => {
  test('is never expanded', () => {
    const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]>`
    expect(urlsOf(`${laughs}<urlset><url><loc>https://a.example/&b;&a;</loc></url></urlset>`)).toEqual([
      'https://a.example/&b;&a;',
    ])
  })

  test('does not grow in memory: a tag, a comment or a text without an end is let go', () => {
    for (const start of [
      '<urlset><loc>',
      '<urlset><loc x="',
      '<!--',
      '<![CDATA[',
      '<!DOCTYPE x [',
      '<?',
      '</',
      '<urlset><loc><![CDATA[',
    ]) {
      const { feed, end } = scanSitemap({ most: 10, entry: () => undefined })
      feed(Buffer.from(start))
      const before = process.memoryUsage().arrayBuffers
      for (let times = 0; times < 300; times++) feed(Buffer.alloc(65_536, 0x61))
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40_000_000)
      end()
    }
  })

  test('of any bytes ends, and gives the same in any pieces', () => {
    const parts = fc.constantFrom(
      '<url>',
      '</url>',
      '<loc>',
      '</loc>',
      'http://a.example/',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '<!DOCTYPE',
      '[',
      ']',
      '>',
      '<',
      '&',
      '&amp;',
      '"',
      '/',
      '<?',
      '?>',
      'ä',
      '\n',
      '<title>',
      '<a:loc ',
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), fc.integer({ min: 1, max: 20 }), (all, piece) => {
        const file = `<urlset>${all.join('')}`
        expect(scan(file, { piece })).toEqual(scan(file))
      }),
      { numRuns: 1_000 },
    )
  })
})

test('feeds say when their pages have changed: RSS, RSS with Dublin Core, Atom and JSON', () => {
  const at = Date.UTC(2026, 0, 2, 3, 4, 5)
  const rss = (date: string) =>
    `<rss><channel><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate><item><link>${page}</link>${date}</item></channel></rss>`
  const json = (items: unknown) => JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', items })
  const files = [
    rss('<pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate>'),
    rss('<dc:date>2026-01-02T03:04:05Z</dc:date>'),
    `<feed><updated>2024-01-01T00:00:00Z</updated><entry><link href="${page}"/><updated>2026-01-02T03:04:05Z</updated></entry></feed>`,
    json([{ url: page, date_published: '2024-01-01T00:00:00Z', date_modified: '2026-01-02T03:04:05Z' }]),
  ]
  for (const file of files) expect(scan(file)).toEqual([{ kind: 'page', url: page, changedAt: at }])
})

test.each([
  ['that is cut off', '{"version":"https://jsonfeed.org/version/1.1","items":[{"url":"https://a.exam'],
  ['of another kind', '{"items":[{"url":"https://a.example/"}]}'],
  ['whose items are none', '{"version":"https://jsonfeed.org/version/1","items":[1,null,{"url":7},{}]}'],
])('JSON %s lists nothing', (_, file) => {
  expect(scan(file)).toEqual([])
})
