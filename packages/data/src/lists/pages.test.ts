import { createEngine } from '@harvestman/core'
import { definePlugin, definePolicy } from '@harvestman/core/plugin'
import type { Fetcher, WireRequest } from '@harvestman/ports'
import { afterAll, beforeEach, expect, test } from 'vitest'

import { data } from '../plugin.ts'

const size = 5
const card = (n: number): string =>
  `<li class="card"><a class="name" href="/tea/${n}">Tea ${n}</a> <span class="price">€ ${n}.50</span></li>`
const cards = (from: number, to: number): string =>
  Array.from({ length: Math.max(0, to - from) }, (_, n) => card(from + n + 1)).join('')

/** A page of a list of so many teas. */
function teas(count: number, page: number, more: (next: number) => string, said = ''): string {
  const next = page * size < count ? more(page + 1) : ''
  return `<title>Tea</title><main><p>${said}</p><ul>${cards((page - 1) * size, Math.min(page * size, count))}</ul>${next}</main>`
}

const byLink = (next: number): string => `<a href="?page=${next}">Next</a>`

let answer: (page: number, url: URL) => string | number | Promise<string>
let asked: string[] = []
let sent: WireRequest[] = []
const fetcher = (): Fetcher => ({
  exchange: async (request) => {
    const { url } = request
    sent.push(request)
    asked.push(`${url.hostname}${url.pathname}${url.search}`)
    const body = await answer(Number(url.searchParams.get('page') ?? 1), url)
    const status = typeof body === 'number' ? body : 200
    return { status, headers: [['content-type', 'text/html']], body: new TextEncoder().encode(String(body)) }
  },
  close: async () => undefined,
})
const rules = definePolicy({
  name: 'rules',
  may: (question) => question.is !== 'url' || question.url.searchParams.get('page') !== '99' || 'It is a trap.',
})
const resolver = async () => [{ address: '93.184.215.14', family: 4 as const }]
const engine = createEngine({
  fetcher,
  resolver,
  plugins: [data(), definePlugin({ name: 'rules', policies: [rules] })],
})
afterAll(() => engine.close())
beforeEach(() => {
  asked = []
  sent = []
})

const url = 'https://shop.test/tea'

async function readPages(options: object, request: object = {}) {
  return engine.scrape({ url, maxAge: 0, formats: [{ type: 'items', pages: 100, ...options }], ...request })
}

const shop =
  (count: number, more = byLink, said?: string) =>
  (page: number) =>
    teas(count, page, more, said)

test('a list is followed from page to page to its end, each item is one row, and each page costs a credit', async () => {
  answer = shop(12, byLink, '12 products')
  const { items, metadata } = await readPages({})
  expect(items.rows.map(({ name }) => name)).toEqual(Array.from({ length: 12 }, (_, n) => `Tea ${n + 1}`))
  expect(items).toMatchObject({ total: 12, complete: true, pages: 3, next: null })
  expect(metadata.creditsUsed).toBe(3)
})

test.each([
  ['a link with a number', (next: number) => `<p><b>${next - 1}</b> <a href="?page=${next}">${next}</a></p>`],
  ['the head of the page', (next: number) => `<link rel="next" href="?page=${next}">`],
  ['a link that says Load more', (next: number) => `<a class="more" href="?page=${next}">Load more</a>`],
])('the next page is found by %s', async (_, more) => {
  answer = shop(12, more)
  expect((await readPages({})).items).toMatchObject({ pages: 3, complete: null })
})

test.each([
  ['pages', { pages: 2 }, 10, '10 items, and the page does not say how many there are. `pages` ended them.'],
  ['limit', { limit: 7 }, 7, '7 items, and the page does not say how many there are. `limit` ended them.'],
])('%s bounds it, and the result says where the list goes on', async (_, bound, rows, reason) => {
  answer = shop(100)
  const { items } = await readPages(bound)
  expect(items).toMatchObject({ complete: false, reason, next: `${url}?page=3` })
  expect(items.rows).toHaveLength(rows)
  expect(asked).toHaveLength(2)
})

test('one page alone is read when no more are asked for', async () => {
  answer = shop(12)
  expect((await readPages({ pages: 1 })).items).toMatchObject({ pages: 1, next: `${url}?page=2` })
  expect(asked).toHaveLength(1)
})

test('a next page that fails leaves the rows before it, with the reason', async () => {
  answer = (page) => (page === 3 ? 404 : teas(30, page, byLink))
  const { items } = await readPages({})
  expect(items.rows).toHaveLength(10)
  expect(items).toMatchObject({ complete: false, pages: 2, next: `${url}?page=3` })
  expect(items.reason).toContain(`The next page could not be loaded: ${url}?page=3 answered 404.`)
})

test('a next page that is the same again ends the list', async () => {
  answer = () => teas(5, 1, byLink) + byLink(2)
  expect((await readPages({})).items).toMatchObject({ pages: 2, complete: null })
  expect(asked).toHaveLength(2)
})

test('policies are asked about each page before anything is sent', async () => {
  answer = shop(12, () => byLink(99))
  const { items } = await readPages({})
  expect(items).toMatchObject({ pages: 1, complete: false })
  expect(items.reason).toContain('It is a trap.')
  expect(asked).toHaveLength(1)
})

test('the address guard refuses a next page within the network', async () => {
  answer = shop(12, () => '<a href="http://127.0.0.1/tea?page=2">Next</a>')
  const { items } = await readPages({})
  expect(items).toMatchObject({ pages: 1, complete: false })
  expect(items.reason).toContain('could not be loaded')
  expect(asked).toHaveLength(1)
})

test('headers of the request go to the next pages of its host, and to no other host', async () => {
  answer = (page, { hostname }) =>
    teas(15, page, (next) =>
      `<a href="https://${page === 2 ? 'other' : hostname}.test/tea?page=${next}">Next</a>`.replace(
        '.test.test',
        '.test',
      ),
    )
  const { items } = await readPages({}, { headers: { authorization: 'Bearer secret' } })
  expect(items.pages).toBe(3)
  expect(sent.map(({ url, headers }) => [url.hostname, JSON.stringify(headers).includes('secret')])).toEqual([
    ['shop.test', true],
    ['shop.test', true],
    ['other.test', false],
  ])
})

test('the rows collected by the timeout are given', async () => {
  answer = (page) => (page < 3 ? teas(30, page, byLink) : new Promise<string>(() => undefined))
  const { items } = await readPages({}, { timeout: 1_500 })
  expect(items).toMatchObject({ pages: 2, complete: false })
  expect(items.reason).toContain('The `timeout` of the request ended them.')
})

test('pages that are kept are not loaded again', async () => {
  answer = shop(12)
  const request = { url: 'https://kept.test/tea', maxAge: 60_000, formats: [{ type: 'items', pages: 5 }] } as const
  await engine.scrape(request)
  const before = asked.length
  expect((await engine.scrape(request)).items.pages).toBe(3)
  expect(asked).toHaveLength(before)
})

test('when credits end, the rows before that are given', async () => {
  const poor = createEngine({ fetcher, resolver, plugins: [data()] })
  try {
    await poor.ledger.grant({ team: 'acme', credits: 2, id: 'one' })
    answer = shop(30)
    const formats = [{ type: 'items', pages: 9 }] as const
    const { items, metadata } = await poor.scrape({ url, maxAge: 0, formats }, { team: 'acme' })
    expect(items).toMatchObject({ pages: 2, complete: false })
    expect(items.reason).toContain('no credits for more pages')
    expect(metadata.creditsUsed).toBe(2)
  } finally {
    await poor.close()
  }
})

test('the JSON of each page adds its fields, and an item is one row whether a page shows it or has it in its JSON', async () => {
  answer = (page) => {
    const list = Array.from({ length: size + 1 }, (_, n) => ({ title: `Tea ${(page - 1) * size + n + 1}`, sku: n }))
    const json = JSON.stringify({ total: 12, list: page < 3 ? list : list.slice(0, 2) })
    return `${teas(12, page, byLink)}<script type="application/json">${json}</script>`
  }
  const { items } = await readPages({})
  expect(items).toMatchObject({ total: 12, complete: true, pages: 3, json: { pointer: '/list' } })
  expect(items.rows.map(({ name }) => name)).toEqual(Array.from({ length: 12 }, (_, n) => `Tea ${n + 1}`))
  expect(items.rows[11]).toMatchObject({ sku: 1 })
})

test('the price of the pages is known before', async () => {
  const formats = [{ type: 'items', pages: 20 }] as const
  expect(engine.preview('scrape', { url, formats })).toMatchObject({ min: 1, max: 20 })
})

test('a crawl, which finds all pages itself, refuses further ones', async () => {
  const scrapeOptions = { formats: [{ type: 'items', pages: 2 }] } as const
  await expect(engine.crawl({ url, scrapeOptions })).rejects.toThrow(/the formats of a crawl cannot load further pages/)
})
