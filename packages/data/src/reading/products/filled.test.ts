import { createEngine } from '@harvestman/core'
import type { Fetcher } from '@harvestman/ports'
import { onTestFinished, test, expect } from 'vitest'

import { data } from '../../plugin.ts'

const page =
  '<title>Lamp</title><h1>Lamp</h1><p class="price">24,90 €</p><p>Product code: LA-77</p><button>Add to cart</button>'
const text = { type: 'string' } as const
const schema = {
  type: 'object',
  properties: { name: text, price: { type: 'number' }, currency: text, sku: text, availability: text },
  required: ['price'],
} as const
const fetcher = (): Fetcher => ({
  exchange: async () => ({
    status: 200,
    headers: [['content-type', 'text/html; charset=utf-8']],
    body: new TextEncoder().encode(page),
  }),
  close: async () => undefined,
})

function read({ inlineBytes = 1e6, redactPII = false, plugins = [data()] } = {}) {
  const engine = createEngine({ fetcher, plugins, limits: { inlineBytes } })
  onTestFinished(() => engine.close())
  return engine.unchecked.scrape({ url: 'https://shop.test/lamp', redactPII, formats: [{ type: 'json', schema }] })
}

test.each([
  ['on the calling thread', 1e6],
  ['in the reader thread', 0],
])('json has what a product page shows without markup, read %s, at no extra price', async (_, inlineBytes) => {
  const { json, metadata } = await read({ inlineBytes })
  expect(json).toEqual({ name: 'Lamp', price: 24.9, currency: 'EUR', sku: 'LA-77', availability: 'InStock' })
  expect(metadata.creditsUsed).toBe(1)
})

test('json of a request with redactPII is not read from the page', async () => {
  await expect(read({ redactPII: true })).rejects.toThrow(/needs a language model/)
})

test('json of an engine without the plugin data needs a model for a price without markup', async () => {
  await expect(read({ plugins: [] })).rejects.toThrow(/needs a language model/)
})
