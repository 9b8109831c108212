// @module-tag long
// A crawl from words, with a model that says nonsense: no crawl comes of it.
import { scriptedLLM, type Reply } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { createEngine } from '../engine/engine.ts'
import { EngineError, type Fetcher, type Json } from '@harvestman/ports'

const page = '<main><p>A site.</p><a href="/docs/one">One</a> <a href="/blog">Blog</a></main>'
const fetcher = (): Fetcher => ({
  exchange: async () => ({
    status: 200,
    headers: [['content-type', 'text/html']],
    body: new TextEncoder().encode(page),
  }),
  close: async () => undefined,
})

async function crawlFrom(prompt: string, replies: readonly Reply[], more: object = {}) {
  const engine = createEngine({ fetcher, llm: scriptedLLM(replies), works: false })
  try {
    return await engine.unchecked.crawl({ url: 'https://a.test/', prompt, ...more })
  } finally {
    expect.soft((await engine.jobs.running()).length).toBeLessThanOrEqual(1)
    await engine.close()
  }
}

const nonsense: readonly (readonly [prompt: string, said: Json])[] = [
  ['The docs', { includePaths: 'docs' }],
  ['The docs', { includePaths: ['(('] }],
  ['The docs', { includePaths: ['(?<=x)docs'] }],
  ['The docs', { includePaths: ['^/nowhere'] }],
  ['The docs', { includePaths: [7] }],
  ['The docs', { includePaths: { docs: true } }],
  ['All but the blog', { excludePaths: ['.*'] }],
  ['All but the blog', { excludePaths: ['['] }],
  ['All but the blog', { excludePaths: true }],
  ['Ten pages', { limit: 'ten' }],
  ['Ten pages', { limit: 0 }],
  ['Ten pages', { limit: -10 }],
  ['Ten pages', { limit: 1e12 }],
  ['Ten pages', { limit: 1.5 }],
  ['Two deep', { maxDiscoveryDepth: -1 }],
  ['Two deep', { maxDiscoveryDepth: 'two' }],
  ['Two deep', { maxDepth: {} }],
  ['Only the sitemap', { sitemap: 'ONLY' }],
  ['Only the sitemap', { sitemap: true }],
  ['Slowly', { delay: 'slow' }],
  ['Slowly', { delay: -1 }],
  ['Slowly', { delay: 1e9 }],
  ['Subdomains', { allowSubdomains: 'yes' }],
  ['Links out', { allowExternalLinks: 1 }],
  ['The whole domain', { crawlEntireDomain: 'all' }],
  ['Anything', { ignoreRobotsTxt: true }],
  ['Anything', { webhook: 'https://evil.test/' }],
  ['Anything', { scrapeOptions: { headers: { cookie: 'a=b' } } }],
  ['Anything', { proto: { polluted: true }, hack: 'rm -rf /' }],
  ['Anything', { robotsUserAgent: 'x\r\ny: z' }],
]

describe('nonsense of the model never becomes a crawl', () => {
  test('there are 30 of them', () => expect(nonsense).toHaveLength(30))

  test.each(nonsense)('%s: %j', async (prompt, said) => {
    const refused = {
      code: 'invalid_request',
      message: expect.stringContaining('could not be turned into crawl options') as string,
    }
    await expect(crawlFrom(prompt, [{ value: said }])).rejects.toMatchObject(refused)
  })

  test('nor does a refusal of the model, or its failure', async () => {
    await expect(crawlFrom('The docs', [{ error: new EngineError('model_failed', 'no') }])).rejects.toMatchObject({
      code: 'invalid_request',
    })
    await expect(
      crawlFrom('The docs', [{ error: new EngineError('model_unavailable', 'busy') }]),
    ).rejects.toMatchObject({ code: 'model_unavailable' })
  })
})

test('what is right in the nonsense is taken, and what the caller says wins over it', async () => {
  const { plan } = await crawlFrom('The docs', [{ value: { includePaths: ['^/docs', '^/nowhere'], limit: 'ten' } }])
  expect(plan?.options).toEqual({ includePaths: ['^/docs'] })
  const own = await crawlFrom('The docs', [{ value: { limit: 50 } }], { limit: 5 })
  expect(own.plan?.options).toEqual({ limit: 50 })
})
