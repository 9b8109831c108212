import { definePlugin, defineJob } from '@harvestman/core/plugin'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { createApi } from '../api/api.ts'
import { apiKeys } from '../callers/auth.ts'
import { deadLinks } from '../fixtures/dead-links.ts'
import { fakeEngine } from '../fixtures/fake-engine.ts'

const [shape] = deadLinks.jobs

const listOf = async (jobs: readonly object[]): Promise<readonly Record<string, unknown>[]> => {
  const engine = { ...fakeEngine(), kinds: jobs as typeof deadLinks.jobs }
  const response = await createApi(engine)(new Request('http://localhost/v2/kinds'))
  return ((await response.json()) as { kinds: readonly Record<string, unknown>[] }).kinds
}

test('a kind is told with where it is found, what it is asked for and what it answers', async () => {
  expect(await listOf([shape])).toEqual([
    expect.objectContaining({
      kind: 'dead_links',
      path: '/v2/dead-links',
      about: 'url',
      request: expect.objectContaining({ type: 'object', required: ['url'] }) as object,
      answer: expect.objectContaining({ type: 'array', items: { type: 'string' } }) as object,
    }),
  ])
})

test('what of an answer is Markdown is told', async () => {
  const told = defineJob({
    kind: 'told',
    description: 'Tells of a page.',
    request: z.object({ url: z.string() }),
    answer: z.object({ text: z.string().meta({ contentMediaType: 'text/markdown' }) }),
    example: { url: 'https://example.com/' },
    about: 'url',
    endpoints: [
      { path: '/v2/told', state: z.object({}), toBody: () => ({}), messages: { notFound: 'There is none.' } },
    ],
    price: () => ({ min: 0, max: 0, reasons: [] }),
    run: async () => ({ text: '' }),
  })
  expect(await listOf(definePlugin({ name: 'told', jobs: [told] }).jobs)).toEqual([
    expect.objectContaining({
      answer: expect.objectContaining({
        properties: { text: { type: 'string', contentMediaType: 'text/markdown' } },
      }) as object,
    }),
  ])
})

test('who has no key is not told the kinds', async () => {
  const api = createApi(fakeEngine(), { authenticate: apiKeys('secret') })
  expect((await api(new Request('http://localhost/v2/kinds'))).status).toBe(401)
})
