// @module-tag browser
import { createEngine } from '@harvestman/core'
import { data } from '@harvestman/data'
import { createApi } from '@harvestman/http'
import { puppeteerBrowser } from '@harvestman/puppeteer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { listPatterns, serveListPatterns } from '../bench/data/list-patterns.ts'
import { longIf } from '../../scripts/long-tests.ts'

const engine = createEngine({
  allowPrivate: ['127.0.0.1'],
  browser: puppeteerBrowser(),
  plugins: [data()],
})
let site: Awaited<ReturnType<typeof serveListPatterns>>
beforeAll(async () => {
  site = await serveListPatterns()
})
afterAll(async () => {
  await engine.close()
  site.close()
})

async function collect(name: string, options: object = {}) {
  const pattern = listPatterns.find((one) => one.name === name)
  if (!pattern) throw new Error(`There is no pattern ${name}.`)
  const actions = [{ type: 'collect' as const, time: 60_000, ...options }]
  const document = await engine.scrape({ url: site.urlOf(pattern), formats: ['links'], actions, timeout: 120_000 })
  const [found] = document.actions?.collected ?? []
  if (!found) throw new Error('Nothing was collected.')
  return found
}

const names = (rows: readonly Readonly<Record<string, unknown>>[]) => rows.map(({ name, link }) => name ?? link)

describe('collect', () => {
  const patterns = [
    'a total that the page says',
    'scrolling within a box',
    'numbers in a list',
    'beside a carousel with a Next of its own',
    'a Next button of a script, answered late',
    'a button that takes a second',
    'a virtual list whose nodes are used again',
  ]
  for (const [index, name] of patterns.entries())
    test.concurrent(`has each item of a list once: ${name}`, longIf(index > 1), async () => {
      const { rows, columns } = await collect(name)
      expect(rows).toHaveLength(47)
      expect(new Set(names(rows)).size).toBe(47)
      expect(columns.length).toBeGreaterThan(1)
    })

  test.each([
    ['by offset', true],
    ['by cursor', null],
  ])('follows the JSON that the page asks for %s, and says where it is', async (by, complete) => {
    const found = await collect(`a list that a script asks for ${by}`)
    expect(found.rows).toHaveLength(47)
    expect(found.rows[46]).toMatchObject({ name: 'Thing number 47', sku: 'T-47', price: { amount: 47.9 } })
    expect(found).toMatchObject({ complete, steps: 4, json: { pointer: '/data/items' } })
    expect(found.json?.url).toContain('/api?')
  })

  test('is an action of the API, too', async () => {
    const url = site.urlOf(listPatterns.find(({ name }) => name === 'numbers in a list')!)
    const body = JSON.stringify({ url, actions: [{ type: 'collect', limit: 15 }] })
    const headers = { 'content-type': 'application/json' }
    const answer = await createApi(engine)(new Request('http://localhost/v2/scrape', { method: 'POST', headers, body }))
    expect(await answer.json()).toMatchObject({
      data: {
        actions: {
          collected: [{ rows: Array.from({ length: 15 }, () => expect.anything() as unknown), complete: false }],
        },
      },
    })
  })

  test('says that it has all where the page says how many there are', async () => {
    const { total, complete, reason, url } = await collect('a total that the page says')
    expect({ total, complete, reason }).toEqual({
      total: 47,
      complete: true,
      reason: '47 items, and the page says that there are 47.',
    })
    expect(url).toContain('page=5')
  })

  test('is ended by each of its bounds, and says which', async () => {
    const [limited, stepped] = await Promise.all([
      collect('a link that says Next', { limit: 15 }),
      collect('a total that the page says', { steps: 1 }),
    ])
    expect([limited.rows.length, limited.complete]).toEqual([15, false])
    expect(limited.reason).toBe('15 items, and the page does not say how many there are. `limit` ended them.')
    expect([stepped.rows.length, stepped.complete, stepped.steps]).toEqual([20, false, 1])
    expect(stepped.reason).toBe('20 items, and the page says that there are 47. `steps` ended them.')
  })

  test('has what there was when its time is over', { tags: ['long'] }, async () => {
    const { rows, reason } = await collect('answers that take a second', { time: 3_500 })
    expect(rows.length).toBeGreaterThanOrEqual(10)
    expect(rows.length).toBeLessThan(47)
    expect(reason).toContain('`time` ended them.')
  })

  test('goes on by the control that it was given', { tags: ['long'] }, async () => {
    const { rows } = await collect('beside a carousel with a Next of its own', {
      next: '.carousel button',
      time: 10_000,
    })
    expect(rows.length).toBeLessThan(47)
  })
})
