import { describe, expect, test } from 'vitest'

import { fingerprint } from '@harvestman/html/internal'
import { shapeOf } from './address-shape.ts'
import { makeTraps, type Trap } from './traps.ts'

const site = 'https://example.com'

/** Words that look like none of another language, always the same for the same seed. */
function prose(seed: number, length: number): string {
  let state = seed + 1
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
  const syllables = ['ka', 'lo', 'mi', 'ren', 'tu', 'sol', 'be', 'dar', 'ni', 'vo', 'pe', 'gus']
  return Array.from({ length }, () => Array.from({ length: 2 + next(2) }, () => syllables[next(12)]).join('')).join(' ')
}

/** A crawl that visits what `next` gives, as far as the traps let it. */
function visit(pages: Iterable<readonly [url: string, text: string, depth?: number]>) {
  const traps = makeTraps({ year: 2026 })
  const visited: string[] = []
  const left: Trap[] = []
  for (const [url, text, depth = 1] of pages) {
    const trap = traps.judge(url, depth)
    if (trap) left.push(trap)
    else {
      visited.push(url)
      traps.learn(url, fingerprint(text))
    }
  }
  return {
    visited,
    left,
    kinds: new Set(left.map(({ kind }) => kind)),
    shapes: new Set(left.map(({ shape }) => shape)),
  }
}

function* many(count: number, page: (number: number) => readonly [string, string, number?]) {
  for (let number = 0; number < count; number += 1) yield page(number)
}

describe('traps', () => {
  test('links that lead deeper into themselves in two ways end after a few steps', () => {
    const { visited, kinds } = visit(
      many(2 ** 10, (number) => [
        `${site}/in/${Array.from({ length: 10 }, (_, bit) => (number & (1 << bit) ? 'deeper' : 'again/further')).join('/')}/`,
        prose(number, 60),
      ]),
    )
    expect(visited).toEqual([])
    expect([...kinds]).toEqual(['repeated_segments'])
  })

  const months = 'January February March April May June July August September October November December'.split(' ')
  const calendarText = (month: number) =>
    `Events in ${months[month % 12]} ${2020 + month} ${prose(7, 60)} Monday Tuesday Wednesday 1 2 3 4 5 no events previous next`

  test('a calendar that goes into the future ends two years ahead', () => {
    const { visited, kinds, shapes } = visit(
      many(1000, (month) => [`${site}/events/${2026 + Math.floor(month / 12)}/${(month % 12) + 1}`, prose(month, 80)]),
    )
    expect(visited.length).toBe(36)
    expect([...kinds, ...shapes]).toEqual(['calendar', `${site}/events/{n}/{n}`])
  })

  test.each([
    '/2031/05/01',
    '/day/2031-05-01',
    '/kalender/de/2031/5/',
    '/x?month=2031-05',
    '/x?year=2031',
    '/x?start_date=2031-05-01T00',
  ])('%s is a calendar', (path) => {
    expect(makeTraps({ year: 2026 }).judge(site + path, 1)?.kind).toBe('calendar')
  })

  test('a calendar that goes into the past ends when its pages say nothing new', () => {
    const { visited, kinds } = visit(
      many(1000, (month) => [
        `${site}/cal?month=${2026 - Math.floor(month / 12)}-${(month % 12) + 1}`,
        calendarText(month),
      ]),
    )
    expect(visited.length).toBeLessThanOrEqual(50)
    expect([...kinds]).toEqual(['near_duplicates'])
  })

  test('session ids in the path, in its parameters and in the query', () => {
    const id = (number: number) => `${number.toString(16).padStart(4, '0')}c0ffee${number * 7919}`
    for (const address of [
      (number: number) => `${site}/s/${id(number)}/home`,
      (number: number) => `${site}/home;jsessionid=${id(number)}`,
      (number: number) => `${site}/home?sid=${id(number)}`,
    ]) {
      const { visited, kinds } = visit(many(500, (number) => [address(number), prose(1, 100)]))
      expect(visited.length).toBe(21)
      expect([...kinds]).toEqual(['near_duplicates'])
    }
  })

  test('soft 404 pages that echo a number and link to more of themselves', () => {
    const text = (number: number) => `Page ${number} was not found. ${prose(3, 40)} Try page ${number + 1}.`
    expect(visit(many(500, (number) => [`${site}/x/${number}`, text(number)])).visited.length).toBe(21)
  })

  test('soft 404 pages that link to random words', () => {
    const { visited, shapes } = visit(
      many(500, (number) => [`${site}/maze/${prose(number, 2).replace(' ', '-')}`, prose(3, 40)]),
    )
    expect([visited.length, ...shapes]).toEqual([51, `${site}/maze/…`])
  })

  test('filters combined: 2^20 pages of twenty switches', { tags: ['long'] }, () => {
    const address = (number: number) =>
      `${site}/shop?${Array.from({ length: 20 }, (_, bit) => ((number >> bit) & 1 ? `f${bit}=1` : ''))
        .filter(Boolean)
        .join('&')}`
    const { visited, kinds, shapes } = visit(many(4000, (number) => [address(number * 260 + 31), prose(number, 20)]))
    expect(visited.length).toBeLessThan(1500)
    expect([...kinds, ...shapes]).toEqual(['query_combinations', `${site}/shop`])
    const lists = (number: number) =>
      `${site}/shop?tags=${[1, 2, 3, 4, 5, 6].map((place) => `t${(number * place) % 23}`).join(',')}`
    expect(visit(many(2000, (number) => [lists(number), prose(number, 60)])).visited.length).toBeLessThanOrEqual(250)
  })

  test('a list that goes on by numbers ends after two hundred hops, whatever it says', () => {
    const { visited, kinds } = visit(
      many(1000, (number) => [`${site}/list?page=${number}`, prose(number, 200), number]),
    )
    expect([visited.length, ...kinds]).toEqual([201, 'endless_list'])
  })

  test.each([
    '/a/a/a',
    '/x/a/a/a/y.html',
    '/docs/en/docs/en/docs/en/',
    '/a/b/c/a/b/c/a/b/c',
    `/${'x/y/z/1/'.repeat(12)}`,
  ])('%s repeats itself', (path) => {
    const trap = makeTraps({ year: 2026 }).judge(site + path, 1)
    expect(trap).toMatchObject({ kind: 'repeated_segments', sentence: expect.stringContaining('over and over') })
  })
})

describe('what is not a trap', () => {
  test('8,000 pages of one shape with different words', { tags: ['long'] }, () => {
    expect(visit(many(8000, (number) => [`${site}/product/${number}`, prose(number, 120)])).left).toEqual([])
  })

  test('pages of which nine tenths are the same, for each of them has something of its own', () => {
    const page = prose(1, 90)
    const { left } = visit(many(8000, (number) => [`${site}/product/${number}`, `${page} ${prose(number + 5, 10)}`]))
    expect(left).toEqual([])
  })

  test('products of which half are sold out, with one sentence for all of these', () => {
    const soldOut = `This product is not available any more. ${prose(2, 30)}`
    const { left } = visit(
      many(4000, (number) => [`${site}/product/${number}`, number % 2 ? soldOut : prose(number, 100)]),
    )
    expect(left).toEqual([])
  })

  test('an encyclopedia of 3,000 articles with names of words, a third of them stubs', () => {
    const stub = `This article is a stub. ${prose(2, 30)}`
    const { left } = visit(
      many(3000, (number) => [`${site}/wiki/${prose(number, 2)}`, number % 3 ? prose(number, 80) : stub]),
    )
    expect(left).toEqual([])
  })

  test('pages with too few words to be compared', () => {
    expect(visit(many(3000, (number) => [`${site}/photo/${number}`, `Photo ${number}. Home. About us.`])).left).toEqual(
      [],
    )
  })

  test('thousands of articles behind one program, chosen by number', { tags: ['long'] }, () => {
    const address = (number: number) => `${site}/index.php?id=${number}&lang=${number % 3}&cat=${number % 9}&x=1&y=2`
    expect(visit(many(5000, (number) => [address(number), prose(number, 100)])).left).toEqual([])
  })

  test.each([
    '/2011/11/11/eleven',
    '/news/1848/03/18',
    '/en/en-us/en',
    '/1/1/1/1',
    '/report?year=2027',
    '/v2/api/v2/api',
    '/2048/',
    '/size/3000/2000.jpg',
    '/thread/2812/3',
    '/thread/4812/3/1',
    '/list?start=2500',
    '/events/2027/12',
  ])('%s', (path) => {
    expect(makeTraps({ year: 2026 }).judge(site + path, 3)).toBeUndefined()
  })
})

test.each([
  ['/about', undefined],
  ['/product/12', '/product/{n}'],
  ['/p12-v3.html', '/p{n}-v{n}.html'],
  ['/a/9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d', '/a/{id}'],
  ['/f/deadbeef01.html', '/f/{id}.html'],
  ['/u/aZ3kq9Lm2Xw8Rt5b', '/u/{id}'],
  ['/x;jsessionid=AB12?b=1&a=2#top', '/x;jsessionid?a&b'],
  ['/cafe/decade', undefined],
])('the shape of %s is %s', (path, shape) => {
  expect(shapeOf(site + path)?.text).toBe(shape === undefined ? undefined : site + shape)
})
