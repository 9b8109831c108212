import { estimateTokens } from '@harvestman/toolbox/tokens'
import { expect, test } from 'vitest'

import { withinBudget } from './within-budget.ts'

const { signal } = new AbortController()
const page = (name: string, fact = ''): { readonly head: string; readonly markdown: string } => ({
  head: `## https://${name}.test/\n\n`,
  markdown: `${`Something about ${name}. `.repeat(400)}\n\n## Facts\n\n${fact}\n\n${'Nothing else is here. '.repeat(400)}`,
})

test('of pages beyond the budget, the parts that match the topic are read below the URL of their page', async () => {
  const pages = [page('a'), page('b', 'The orchid costs EUR 12.'), page('c')]
  const text = await withinBudget(pages, { maxTokens: 1_200, topic: 'price of the orchid' }, signal)
  expect(text).toMatch(/## https:\/\/b\.test\/\n[^]*The orchid costs EUR 12\./)
  expect(estimateTokens(text)).toBeLessThan(1_300)
})

test('pages within the budget are whole', async () => {
  const pages = [page('a'), page('b')]
  const text = await withinBudget(pages, { maxTokens: 100_000, topic: 'x' }, signal)
  expect(text).toBe(pages.map(({ head, markdown }) => head + markdown).join('\n\n'))
})
