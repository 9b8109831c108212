import { expect, test } from 'vitest'

import { createEngine } from '../engine/engine.ts'
import type { Fetcher } from '@harvestman/ports'
import { memoryStore } from '@harvestman/embedded'

const text = '<p>Visible text of an ordinary page, long enough that nobody takes the rest for its content.</p>'.repeat(
  6,
)
const pages: Readonly<Record<string, string>> = {
  '/': `<main>${text}<div style="display:none"><a href="/trap">Trap</a><a href="/shown">Shown</a></div>
    <div style="display:none"><a rel="next" href="/next">Next</a></div>
    <nav><div style="display:none"><a href="/menu">Menu</a></div></nav><a href="/shown">Shown</a><a href="/a">A</a></main>`,
  '/a': `<main>${text}<p hidden><a href="/trap">Trap</a><a href="/menu">Menu</a></p></main>`,
}

const fetcher = (): Fetcher => ({
  exchange: async ({ url }) => {
    const { pathname } = new URL(url)
    return {
      status: /\.(?:txt|xml)$/.test(pathname) ? 404 : 200,
      headers: [['content-type', 'text/html; charset=utf-8']],
      body: new TextEncoder().encode(pages[pathname] ?? `<main>${text}</main>`),
    }
  },
  close: async () => undefined,
})

test('a crawl does not follow links that nobody can see, and reports each once', async () => {
  await using engine = createEngine({ fetcher, store: memoryStore() })
  const job = await engine.crawl({ url: 'https://a.test/' })
  const visited: string[] = []
  for await (const { metadata } of job.documents()) visited.push(new URL(metadata.sourceURL).pathname)
  expect(visited.toSorted()).toEqual(['/', '/a', '/menu', '/next', '/shown'])
  const left: unknown[] = []
  for await (const { url, outcome, reason } of job.explain()) if (outcome === 'left') left.push([url, reason])
  expect(left).toEqual([['https://a.test/trap', 'HIDDEN_LINK']])
})
