import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createEngine } from '@harvestman/core'
import { defineLoader, definePlugin } from '@harvestman/core/plugin'

import { prices } from './plugin-whole.ts'

const url = 'https://shop.example.com/lamp'

/** An engine with one page that shows this price, without network requests. */
function shop(cost: () => string) {
  const load = async () => ({
    url,
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: new TextEncoder().encode(`<h1>Lamp</h1><p>Today for €${cost()} only.</p>`),
    captured: {},
    actions: {},
    proxyUsed: 'basic' as const,
    warnings: [],
  })
  const pages = definePlugin({ name: 'pages', loaders: [defineLoader({ name: 'pages', cost: 0, load })] })
  return createEngine({ plugins: [prices(), pages] })
}

void test('returns the previous price of the same team', async (t) => {
  let cost = '20'
  const engine = shop(() => cost)
  t.after(() => engine.close())
  const read = async (team: string) => (await engine.scrape({ url, formats: ['price'] }, { team })).price
  assert.deepEqual(await read('one'), { now: 20, before: null })
  cost = '15'
  assert.deepEqual(await read('one'), { now: 15, before: 20 })
  assert.deepEqual(await read('two'), { now: 15, before: null })
})

void test('warns about a page without a price', async (t) => {
  const engine = shop(() => '')
  t.after(() => engine.close())
  const { warning } = await engine.scrape({ url, formats: [{ type: 'price', currency: '$' }] })
  assert.match(warning ?? '', /no price in \$/)
})
