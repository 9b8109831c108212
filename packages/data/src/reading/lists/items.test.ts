import { describe, expect, test } from 'vitest'

import { openPage } from '@harvestman/html/internal'
import { readItems } from './items.ts'
import { listing as readListing } from '../module.ts'
import type { KnownList } from './types.ts'

const url = 'https://shop.example/tea'
const nav = `<nav><ul>${Array.from({ length: 30 }, (_, n) => `<li><a href="/c/${n}">Category of many things ${n}</a></li>`).join('')}</ul></nav>`
const card = (id: number, name = `Tea ${id}`): string =>
  `<div class="card"><img src="/i/${id}.jpg"><a class="name" href="/tea/${id}">${name}</a><span class="price">€ ${id},50</span></div>`
const page = (list: string, said = ''): string => `<title>Tea</title>${nav}<main>${said}<div>${list}</div></main>`

describe('The list of a page', () => {
  test('has typed columns, and is not the navigation', () => {
    const { columns, rows } = readItems(page([1, 2, 3, 4].map((id) => card(id)).join('')), url)
    expect(columns).toEqual([
      { name: 'image', kind: 'image' },
      { name: 'link', kind: 'link' },
      { name: 'name', kind: 'text' },
      { name: 'price', kind: 'price' },
    ])
    expect(rows).toHaveLength(4)
    expect(rows[1]).toEqual({
      image: 'https://shop.example/i/2.jpg',
      link: 'https://shop.example/tea/2',
      name: 'Tea 2',
      price: { amount: 2.5, currency: 'EUR' },
    })
  })

  test('is not the parts of the page, though they are of one kind', () => {
    const parts = `<div class="tools"><button>Turn</button></div><div class="grid">${[1, 2, 3].map((id) => card(id)).join('')}</div><div class="pages"><a href="/2">2</a></div>`
    expect(readItems(`<main>${parts}</main>`, url).rows).toHaveLength(3)
  })

  test('is read past advertisements and separators between its items', () => {
    const list = [card(1), '<div class="ad">Buy a car today</div>', card(2), '<hr>', card(3)].join('')
    expect(readItems(page(list), url).rows.map(({ name }) => name)).toEqual(['Tea 1', 'Tea 2', 'Tea 3'])
  })

  test('has an item once by its link, and items that read the same as often as they are', () => {
    const list = [card(1, 'Tea'), card(2, 'Tea'), card(3, 'Tea'), card(2, 'Tea')].join('')
    expect(readItems(page(list), url).rows).toHaveLength(3)
  })

  test('does not take a link that all items share for their identity', () => {
    const sold = (n: number): string =>
      `<div class="card"><a class="by" href="/seller">Ann</a><b class="name">Tea ${n}</b></div>`
    expect(readItems(page([1, 2, 3, 4].map(sold).join('')), url).rows).toHaveLength(4)
  })

  test('is the rows of a table, and not the paragraphs beside it', () => {
    const prose = Array.from({ length: 5 }, () => `<p>${'Many words of an article. '.repeat(20)}</p>`).join('')
    const rows = [1, 2, 3].map((n) => `<tr><td>Town ${n}</td><td>${n}</td></tr>`).join('')
    expect(readItems(`<main>${prose}<table>${rows}</table></main>`, url).rows).toHaveLength(3)
    expect(readItems(`<main>${prose}</main>`, url).rows).toHaveLength(1)
  })

  test('has the value of a cell that spans rows in each of them, and names of groups before those of columns', () => {
    const head = '<tr><th rowspan="2">Land</th><th colspan="2">Town</th></tr><tr><th>name</th><th>people</th></tr>'
    const land = (name: string, first: number): string =>
      `<tr><td rowspan="2">${name}</td><td>Town ${first}</td><td>${first}</td></tr><tr><td>Town ${first + 1}</td><td>${first + 1}</td></tr>`
    const { columns, rows } = readItems(
      `<main><table>${head}${land('North', 1)}${land('South', 3)}</table></main>`,
      url,
    )
    expect(columns.map(({ name }) => name)).toEqual(['Land', 'Town name', 'Town people'])
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['North', 'Town 1', 1],
      ['North', 'Town 2', 2],
      ['South', 'Town 3', 3],
      ['South', 'Town 4', 4],
    ])
  })

  test('reads a table whose spans are larger than it is', () => {
    const rows = [1, 2, 3].map((n) => `<tr><td colspan="1000" rowspan="60000">${n}</td><td>${n}</td></tr>`).join('')
    expect(readItems(`<main><table>${rows}</table></main>`, url).rows.length).toBeGreaterThan(0)
  })

  test('takes the names of its columns from the head of a table', () => {
    const rows = [1, 2, 3].map((n) => `<tr><td>Town ${n}</td><td>${n},400</td><td>2024-05-0${n}</td></tr>`).join('')
    const head = '<thead><tr><th>Town</th><th>People</th><th>Counted</th></tr></thead>'
    const list = readItems(page(`<table>${head}<tbody>${rows}</tbody></table>`), url)
    expect(list.columns).toEqual([
      { name: 'Town', kind: 'text' },
      { name: 'People', kind: 'number' },
      { name: 'Counted', kind: 'date' },
    ])
    expect(list.rows[2]).toEqual({ Town: 'Town 3', People: 3400, Counted: '2024-05-03' })
  })

  test.each([
    ['1–24 of 1,240', 1240],
    ['1,240 results', 1240],
    ['1 bis 24 von 1.240 Artikeln', 1240],
    ['312 résultats', 312],
    ['Page 3', undefined],
  ])('says how many items there are where the page does: %s', (said, total) => {
    expect(readItems(page([1, 2, 3].map((id) => card(id)).join(''), `<p>${said}</p>`), url).total).toBe(total)
  })

  test('is read with bounds where blocks are deep and their names long', () => {
    const deep = `<div class="${'x'.repeat(5_000)}">`.repeat(80)
    const { columns, rows } = readItems(page(`<p><b>Tea</b> one</p>${deep}Never</div>`.repeat(3)), url)
    expect(columns.every(({ name }) => name.length <= 70)).toBe(true)
    expect(JSON.stringify(rows)).not.toContain('Never')
  })

  test('is empty where nothing repeats', () => {
    expect(readItems('<main><h1>Tea</h1><p>About tea.</p></main>', url)).toEqual({ columns: [], rows: [] })
  })

  test('has each of a thousand items', () => {
    const list = Array.from({ length: 1_000 }, (_, id) => card(id)).join('')
    expect(readItems(page(list), url).rows).toHaveLength(1_000)
  })
})

test('a last page with one row is of the list that was met before, and not of another that repeats', () => {
  const scope = { onlyMainContent: false, includeTags: [], excludeTags: [] }
  const listing = (html: string, known: KnownList = {}) => readListing(openPage({ html, url }, scope), known)
  const { columns, row } = listing(page([1, 2, 3, 4].map((id) => card(id)).join('')))
  const brands = ['One', 'Two', 'Three'].map((name) => `<p class="brand"><b>Brand</b> ${name}</p>`).join('')
  const last = `${page(card(5))}<div>${brands}</div>`
  expect(listing(last).rows).not.toMatchObject([{ name: 'Tea 5' }])
  expect(listing(last, { columns, row }).rows).toMatchObject([{ name: 'Tea 5' }])
})
