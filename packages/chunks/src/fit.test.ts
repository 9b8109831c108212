import { estimateTokens } from '@harvestman/toolbox/tokens'
import { expect, test } from 'vitest'

import { fitMarkdown } from './fit.ts'

const { signal } = new AbortController()
const sentences = (topic: string, count = 40): string => `This sentence is about ${topic}. `.repeat(count).trim()
const section = (level: number, name: string, count?: number): string =>
  `${'#'.repeat(level)} ${name}\n\n${sentences(name, count)}\n\n`
const page = 'a b c d e f g h'
  .split(' ')
  .map((letter) => section(2, `Lamp ${letter}`))
  .join('')

test('the parts that match the query are returned, and all others are listed', async () => {
  const [fitted] = await fitMarkdown([{ markdown: page }], { maxTokens: 400, query: 'lamp e' }, signal)
  expect(fitted?.markdown).toContain('about Lamp e')
  expect(estimateTokens(fitted?.markdown ?? '')).toBeLessThanOrEqual(400)
  const listed = fitted?.omitted.map(({ start, end }) => page.slice(start, end)).join('')
  expect(`${listed}${fitted?.markdown}`.replaceAll(/\s/g, '')).toHaveLength(page.replaceAll(/\s/g, '').length)
  expect(fitted?.omitted[0]).toMatchObject({ headings: ['Lamp a'], tokens: expect.any(Number) })
})

test('without a query, the beginnings of the upper sections come first', async () => {
  const detail = section(2, 'Guide', 60) + section(3, 'Detail', 200)
  const deep = section(1, 'Top', 60) + detail + section(2, 'Prices', 60) + section(2, 'Contact', 60)
  const [fitted] = await fitMarkdown([{ markdown: deep }], { maxTokens: 2_000 }, signal)
  expect(fitted?.markdown).toMatch(/# Top[^]*## Guide[^]*## Prices[^]*## Contact/)
  expect(fitted?.markdown).not.toContain('Detail')
})

test('without a query, each of several documents has a part', async () => {
  const documents = [{ markdown: page }, { markdown: page }]
  const fitted = await fitMarkdown(documents, { maxTokens: 6_000 }, signal)
  for (const { markdown } of fitted) expect(markdown).not.toBe('')
})

test('documents that fit are unchanged', async () => {
  expect(await fitMarkdown([{ markdown: page }], { maxTokens: 100_000, query: 'x' }, signal)).toEqual([
    { markdown: page, omitted: [] },
  ])
})

test('a table that is cut has its head, and the omitted parts say that they are of a table', async () => {
  const rows = Array.from({ length: 200 }, (_, index) => `| Lamp ${index} | ${index} Euro |`).join('\n')
  const markdown = `# Prices\n\n| Name | Price |\n| --- | --- |\n${rows}\n`
  const [fitted] = await fitMarkdown([{ markdown }], { maxTokens: 400, query: 'lamp 150' }, signal)
  expect(fitted?.markdown).toMatch(/\| Name \| Price \|\n\| --- \| --- \|\n[^]*\| Lamp 150 \|/)
  expect(new Set(fitted?.omitted.map(({ cut }) => cut))).toEqual(new Set(['table']))
})

test('an aborted fit rejects', async () => {
  const aborted = AbortSignal.abort(new Error('enough'))
  await expect(fitMarkdown([{ markdown: page.repeat(100) }], { maxTokens: 400 }, aborted)).rejects.toThrow('enough')
})
