import { encodedJson, encodeJson } from '@harvestman/ports/values'
import { expect, test } from 'vitest'

import { tryPage, type PageTools } from './attempt.ts'

test.each([
  [200, { entries: [{ fact: { is: 'dropped' } }] }],
  [429, { again: { code: 'bad_response' } }],
])('encoded values of a page with status %s are decoded for the job, and freed', async (status, expected) => {
  const encoded = encodedJson(encodeJson(['https://a.test/b'])!)
  const url = 'https://a.test/'
  const readings = [{ field: 'links', name: 'links', options: null, encode: true }]
  const received: unknown[] = []
  const tools = {
    strategy: {
      prepare: () => ({ request: { url }, readings }),
      receive: async (_: unknown, { values }: { values: unknown }) => (received.push(values), {}),
    },
    pay: async () => ({}),
    scrape: async () => ({
      document: { metadata: { creditsUsed: 1 } },
      visit: { page: { url, status, headers: {} }, timings: [] },
      values: { links: encoded },
    }),
    now: () => 0,
    generation: () => undefined,
  }
  const attempt = { id: 'id', isLast: false, signal: new AbortController().signal }
  // Cast: only these fields are read.
  const tried = await tryPage({ number: 0, url, host: 'a.test' }, attempt as never, tools as unknown as PageTools)
  expect(tried).toMatchObject(expected)
  expect(received).toEqual(status === 200 ? [{ links: ['https://a.test/b'] }] : [])
  expect(encoded.json.byteLength).toBe(0)
})
