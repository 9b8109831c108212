import { defineJob, definePlugin } from '@harvestman/core/plugin'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { createApi } from '../api/api.ts'
import { fakeEngine } from '../fixtures/fake-engine.ts'

const listed = defineJob({
  kind: 'listed',
  description: 'Reads a page.',
  request: z.object({ url: z.string() }),
  answer: z.object({}),
  example: { url: 'https://example.com/' },
  about: 'url',
  endpoints: [
    {
      path: '/v2/listed',
      state: z.object({}),
      toBody: () => ({}),
      list: { name: 'jobs', row: z.object({ id: z.string() }), toBody: ({ id }) => ({ id }) },
      messages: { notFound: 'There is none.' },
    },
  ],
  price: () => ({ min: 0, max: 0, reasons: [] }),
  run: async () => ({}),
})

test('the list of jobs of a kind is followed to the oldest one, however many there are', async () => {
  const entries = Array.from({ length: 250 }, (_, index) => ({
    id: `job-${index}`,
    created_at: new Date(1_000_000 - index).toISOString(),
  }))
  const fake = fakeEngine()
  const list = async ({ limit, cursor = '0' }: { readonly limit: number; readonly cursor?: string }) => {
    const end = Number(cursor) + limit
    return { data: entries.slice(Number(cursor), end), cursor: end < entries.length ? String(end) : null }
  }
  const find = async (_: string, id: string) => ({ status: async () => ({ id }) })
  const engine = {
    ...fake,
    kinds: definePlugin({ name: 'listed', jobs: [listed] }).jobs,
    activity: { ...fake.activity, list },
    unchecked: { ...fake.unchecked, find },
  }
  const api = createApi(engine as never)
  const found: string[] = []
  for (let url: string | undefined = 'http://localhost/v2/listed'; url !== undefined;) {
    const response: Response = await api(new Request(url))
    const page = (await response.json()) as {
      readonly jobs: readonly { readonly id: string }[]
      readonly next?: string
    }
    found.push(...page.jobs.map(({ id }) => id))
    url = page.next
  }
  expect(found).toEqual(entries.map(({ id }) => id))
})
