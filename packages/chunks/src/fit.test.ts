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

test('the rows of a table with a wide head are returned, and its head once', async () => {
  const cells = Array.from({ length: 30 }, (_, index) => `Name of column ${index}`)
  const row = (number: number): string => `| Lamp ${number} | ${'1 | '.repeat(29)}`
  const rows = Array.from({ length: 300 }, (_, index) => row(index)).join('\n')
  const markdown = `# Prices\n\n| ${cells.join(' | ')} |\n|${' --- |'.repeat(30)}\n${rows}\n`
  const fit = async (maxTokens: number) =>
    (await fitMarkdown([{ markdown }], { maxTokens, query: 'lamp 50 150 250' }, signal))[0]?.markdown ?? ''
  const large = await fit(2_000)
  expect(large).toMatch(/\| Lamp 50 \|[^]*\| Lamp 150 \|[^]*\| Lamp 250 \|/)
  expect(large.match(/Name of column 7/g)).toHaveLength(1)
  expect(estimateTokens(large)).toBeLessThanOrEqual(2_000)
  const small = await fit(300)
  expect(small).toContain('| Lamp 150 |')
  expect(small).not.toContain('Name of column 7')
  expect(estimateTokens(small)).toBeLessThanOrEqual(300)
})

test('at most 100 omitted parts are listed, with the tokens and the number of all', async () => {
  const markdown = Array.from({ length: 4_000 }, (_, index) => section(2, `Lamp ${index}`, 2)).join('')
  const few = await fitMarkdown([{ markdown }], { maxTokens: 100, query: 'lamp 2000' }, signal)
  expect(few[0]?.omitted.length).toBeLessThan(10)
  const many = await fitMarkdown([{ markdown }], { maxTokens: 8_000, query: 'lamp 0 10 200 3000' }, signal)
  const every =
    section(2, 'Chair', 2) + Array.from({ length: 400 }, (_, at) => section(2, at % 2 ? 'Lamp' : 'Sofa', 3)).join('')
  const spread = await fitMarkdown([{ markdown: every }], { maxTokens: 5_000, query: 'lamp' }, signal)
  for (const { omitted } of [...few, ...many, ...spread]) {
    expect(omitted.length).toBeLessThanOrEqual(100)
    for (const [index, { start }] of omitted.entries())
      expect(start).toBeGreaterThanOrEqual(omitted[index - 1]?.end ?? 0)
  }
  const tokens = few[0]?.omitted.reduce((sum, one) => sum + one.tokens, 0) ?? 0
  expect(tokens).toBeGreaterThan(estimateTokens(markdown) * 0.9)
})

test('a word of a long query counts, whichever place it has', async () => {
  const noise = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ')
  const common = 'This sentence is about Lamp'
  const options = { maxTokens: 400, query: `${common} ${noise} e` }
  const [fitted] = await fitMarkdown([{ markdown: page }], options, signal)
  expect(fitted?.markdown).toContain('about Lamp e')
})

test('an aborted fit rejects', async () => {
  const aborted = AbortSignal.abort(new Error('enough'))
  await expect(fitMarkdown([{ markdown: page.repeat(100) }], { maxTokens: 400 }, aborted)).rejects.toThrow('enough')
})
