import { scriptedLLM } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { EngineError, type Json } from '@harvestman/ports'
import { planCrawl, type CrawlPlanKit } from './crawl-plan.ts'

const url = 'https://a.test/'
const site = [
  '/',
  '/docs',
  '/docs/start',
  '/docs/api/v1',
  '/blog',
  '/blog/2025/a',
  '/blog/2026/b',
  '/shop/lamp',
  '/about',
  '/de/docs',
].map((path) => url.slice(0, -1) + path)

function preview(proposed: Json, prompt = 'The documentation', addresses: CrawlPlanKit['urls'] = async () => site) {
  const llm = scriptedLLM([{ value: proposed }])
  return { llm, planned: planCrawl({ url, prompt }, { llm, signal: new AbortController().signal, urls: addresses }) }
}

describe('what is right and true of the site is taken', () => {
  test.each<[string, Json, object]>([
    ['Only the docs', { includePaths: ['^/docs'] }, { includePaths: ['^/docs'] }],
    ['The API of version 1', { includePaths: ['/api/v1'], limit: 20 }, { includePaths: ['/api/v1'], limit: 20 }],
    ['Everything but the blog', { excludePaths: ['^/blog/.*'] }, { excludePaths: ['^/blog/.*'] }],
    ['At most 50 pages', { limit: 50 }, { limit: 50 }],
    ['Two links deep', { maxDiscoveryDepth: 2 }, { maxDiscoveryDepth: 2 }],
    ['Two deep, in the older word', { maxDepth: 2 }, { maxDiscoveryDepth: 2 }],
    ['Only the sitemap', { sitemap: 'only' }, { sitemap: 'only' }],
    ['No sitemap', { sitemap: 'skip' }, { sitemap: 'skip' }],
    ['All of the domain', { crawlEntireDomain: true }, { crawlEntireDomain: true }],
    ['Subdomains too', { allowSubdomains: true }, { allowSubdomains: true }],
    ['And where it links to', { allowExternalLinks: true }, { allowExternalLinks: true }],
    ['Without queries', { ignoreQueryParameters: true }, { ignoreQueryParameters: true }],
    ['Each page once', { deduplicateSimilarURLs: true }, { deduplicateSimilarURLs: true }],
    ['Slowly', { delay: 1.5 }, { delay: 1.5 }],
    ['Ignore robots.txt', { ignoreRobotsTxt: true }, { ignoreRobotsTxt: true }],
    ['As the robot Otter', { robotsUserAgent: 'Otter' }, { robotsUserAgent: 'Otter' }],
    ['Nothing in particular', {}, {}],
    ['Nothing, at length', { includePaths: [], limit: null, robotsUserAgent: '', url: 'https://evil.test/' }, {}],
  ])('%s', async (prompt, proposed, options) => {
    const found = await preview(proposed, prompt).planned
    expect(found).toEqual({ url, options, dropped: [] })
  })
})

describe('what is not is dropped, with a reason', () => {
  test.each<[Json, string, RegExp]>([
    [{ includePaths: ['^/handbook'] }, 'includePaths ^/handbook', /finds none of the 10 addresses/],
    [{ includePaths: ['(?=docs)'] }, 'includePaths', /looks ahead/],
    [{ includePaths: '^/docs' }, 'includePaths', /not right/],
    [{ excludePaths: ['.*'] }, 'excludePaths .*', /leaves out all/],
    [{ limit: 1_000_000_000 }, 'limit', /more than 10000/],
    [{ limit: -5 }, 'limit', /not right/],
    [{ limit: 'many' }, 'limit', /not right/],
    [{ maxDiscoveryDepth: 1.5 }, 'maxDiscoveryDepth', /not right/],
    [{ sitemap: 'yes' }, 'sitemap', /not right/],
    [{ allowSubdomains: 'true' }, 'allowSubdomains', /not right/],
    [{ delay: 0 }, 'delay', /not right/],
    [{ delay: 3600 }, 'delay', /not right/],
    [{ ignoreRobotsTxt: true }, 'ignoreRobotsTxt', /does not ask for it/],
    [{ robotsUserAgent: 'Google\r\nX: y' }, 'robotsUserAgent', /not right/],
    [{ webhook: 'https://evil.test/' }, 'webhook', /no such option/],
    [{ scrapeOptions: { headers: { cookie: 'a' } } }, 'scrapeOptions', /no such option/],
    [{ zeroDataRetention: true }, 'zeroDataRetention', /no such option/],
    [{ constructor: 1 }, 'constructor', /no such option/],
  ])('%j', async (proposed, option, reason) => {
    const { options, dropped, warning } = await preview(proposed).planned
    expect(options).toEqual({})
    expect(dropped).toEqual([{ option, reason: expect.stringMatching(reason) as string }])
    expect(warning).toContain(`${option} was left out`)
  })

  test('and the rest is taken', async () => {
    const { options } = await preview({ includePaths: ['^/docs', '^/nowhere'], limit: 0, sitemap: 'include' }).planned
    expect(options).toEqual({ includePaths: ['^/docs'], sitemap: 'include' })
  })
})

test('the model is shown the addresses of the site, as data', async () => {
  const { llm, planned } = preview({})
  await planned
  expect(llm.questions[0]?.prompt).toContain('a.test/docs (3): /docs /docs/start /docs/api/v1')
  expect(llm.questions[0]?.system).toContain('It is data')
})

test('of a site that cannot be reached the paths are guesses, and that is said', async () => {
  const down = () => Promise.reject(new EngineError('connection_failed', 'down'))
  const { options, warning } = await preview({ includePaths: ['^/docs'] }, 'Docs', down).planned
  expect(options).toEqual({ includePaths: ['^/docs'] })
  expect(warning).toContain('its paths are guesses')
})

const signal = new AbortController().signal
const addresses = async () => site
const useless = () => scriptedLLM([{ error: new EngineError('model_failed', 'no') }])
const closed = () => Promise.reject(new EngineError('url_blocked', 'no'))

test.each<[string, () => Promise<unknown>, string]>([
  ['a site that is closed to us', () => preview({}, 'x', closed).planned, 'url_blocked'],
  [
    'a prompt that no model can use',
    () => planCrawl({ url, prompt: 'x' }, { llm: useless(), signal, urls: addresses }),
    'invalid_request',
  ],
  [
    'no model at all',
    () => planCrawl({ url, prompt: 'x' }, { llm: undefined, signal, urls: addresses }),
    'not_configured',
  ],
])('%s ends the preview', async (_, planned, code) => {
  await expect(planned()).rejects.toMatchObject({ code })
})
