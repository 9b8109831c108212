import { fakeWeb } from '@harvestman/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { createEngine } from '../engine/engine.ts'
import { defineFormat, definePlugin } from '../plugin/define.ts'
import { markdown } from './markdown.ts'
import { pageMarkdown } from './readings.ts'

const url = 'https://example.com/'
const part = (name: string): string => `<h2>${name}</h2><p>${`A sentence about ${name}. `.repeat(40)}</p>`
const names = ['lamps', 'chairs', 'tables', 'orchids', 'mirrors']
const body = `<title>Shop</title><main><h1>Shop</h1>${names.map(part).join('')}</main>`

const length = defineFormat({ type: 'length', needs: { markdown }, derive: (needs) => needs.markdown.length })

function open() {
  const { fetcher } = fakeWeb({ [url]: body })
  return createEngine({ fetcher: () => fetcher, plugins: [definePlugin({ name: 'length', formats: [length] })] })
}

test('markdown with maxTokens has the parts that match the query, and the document lists the others', async () => {
  await using engine = open()
  const { markdown: whole } = await engine.scrape({ url })
  const format = { type: 'markdown', maxTokens: 250, query: 'orchids' } as const
  const { markdown: text, omitted = [] } = await engine.scrape({ url, formats: [format] })
  expect(text).toContain('A sentence about orchids.')
  expect(text).not.toContain('about lamps')
  expect(omitted[0]).toMatchObject({ property: 'markdown', headings: expect.any(Array), tokens: expect.any(Number) })
  const listed = omitted.map(({ start, end }) => whole.slice(start, end)).join('')
  expect((listed + text).replaceAll(/\s/g, '')).toHaveLength(whole.replaceAll(/\s/g, '').length)
})

test('other formats read the whole Markdown', async () => {
  await using engine = open()
  const { markdown: whole } = await engine.scrape({ url })
  const found = await engine.scrape({ url, formats: [{ type: 'markdown', maxTokens: 100 }, 'length'] })
  expect(found.markdown?.length).toBeLessThan(whole.length / 2)
  expect(found.length).toBe(whole.length)
})

test('a format stores its whole value, not what the document has of it', async () => {
  const kept: string[] = []
  const short = defineFormat({
    ...{ type: 'short', is: pageMarkdown, value: z.string(), shorten: () => (text: string) => text.slice(0, 6) },
    keep: async (text) => void kept.push(text),
  })
  const { fetcher } = fakeWeb({ [url]: body })
  const plugins = [definePlugin({ name: 'short', formats: [short] })]
  await using engine = createEngine({ fetcher: () => fetcher, plugins })
  const found = await engine.scrape({ url, formats: ['short'] })
  expect(found.short).toBe('# Shop')
  expect(kept[0]?.length).toBeGreaterThan(1_000)
})

test('a query without maxTokens is an error', async () => {
  await using engine = open()
  await expect(engine.scrape({ url, formats: [{ type: 'markdown', query: 'x' }] })).rejects.toThrow(
    'requires maxTokens',
  )
})
