import { check } from '@harvestman/core/schema'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { fieldsOf } from '../request/fields.ts'
import { fakeEngine } from '../fixtures/fake-engine.ts'
import { batchToCore, crawlToCore, mapToCore, optionsFromCore } from './jobs.ts'
import { v1BatchSchema, v1CrawlSchema, v1MapSchema } from './job-schemas.ts'

const { schemas } = fakeEngine()
const v1 = { crawl: v1CrawlSchema(schemas), batch: v1BatchSchema(schemas), map: v1MapSchema(schemas) }

const crawl = (input: object) => crawlToCore(check(v1.crawl, { url: 'https://a.test/', ...input }))
const batch = (input: object) => batchToCore(check(v1.batch, { urls: ['https://a.test/'], ...input }))
const map = (input: object) => mapToCore(check(v1.map, { url: 'https://a.test/', ...input }))

describe('A crawl of version 1', () => {
  test('goes ten segments deep unless told otherwise, and leaves the rest to the engine', () => {
    expect(crawl({})).toEqual({ url: 'https://a.test/', maxPathDepth: 10 })
    expect(crawl({ maxDepth: 2 })).toMatchObject({ maxPathDepth: 2 })
    expect(crawl({ maxDepth: 2 })).not.toHaveProperty('maxDepth')
  })

  test.each([
    ['https://a.test/', 0],
    ['https://a.test/index.html', 0],
    ['https://a.test/a//b/index.php?c=/d/e', 2],
    ['https://a.test/a/b', 2],
  ])('may begin at %s with a depth of %i, and not with less', (url, depth) => {
    expect(crawl({ url, maxDepth: depth })).toMatchObject({ maxPathDepth: depth })
    if (depth === 0) return
    expect(() => crawl({ url, maxDepth: depth - 1 })).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: 'URL depth exceeds the specified maxDepth' }),
    )
  })

  test.each([
    [{}, undefined],
    [{ allowBackwardLinks: true }, true],
    [{ allowBackwardLinks: true, crawlEntireDomain: false }, false],
    [{ allowBackwardLinks: false, crawlEntireDomain: true }, true],
  ])('with %j sees the entire domain: %s', (input, expected) => {
    const asked = crawl(input)
    expect(asked['crawlEntireDomain']).toBe(expected)
    expect(asked).not.toHaveProperty('allowBackwardLinks')
  })

  test.each([
    [{}, undefined],
    [{ ignoreSitemap: true }, 'skip'],
    [{ ignoreSitemap: false }, 'include'],
  ])('with %j has the sitemap: %s', (input, expected) => {
    expect(crawl(input)['sitemap']).toBe(expected)
  })

  test('says what it wants of each page in words of version 1', () => {
    const extract = { prompt: 'the price' }
    expect(crawl({ scrapeOptions: { formats: ['extract'], extract, parsePDF: false } })['scrapeOptions']).toEqual({
      formats: [{ type: 'json', ...extract, as: ['extract'] }],
      parsePDF: false,
    })
    expect(() => crawl({ scrapeOptions: { formats: ['json'] } })).toThrow(/corresponding options/)
  })

  test.each([
    [{ sitemap: 'only' }, /sitemap is not a known key/],
    [{ robotsUserAgent: 'a' }, /robotsUserAgent is not a known key/],
    [{ maxPathDepth: 1 }, /maxPathDepth is not a known key/],
    [{ maxDepth: -1 }, /maxDepth must be at least 0/],
    [{ prompt: 'a' }, /prompt is not a known key/],
    [{ limit: 0 }, /limit must be at least 1/],
    [{ includePaths: ['('] }, /includePaths\[0\]/],
    [{ scrapeOptions: { url: 'a.test' } }, /scrapeOptions\.url is not a known key/],
    [{ scrapeOptions: { waitFor: -1 } }, /scrapeOptions\.waitFor/],
    [{ webhook: { url: 'https://a.test', secret: 1 } }, /webhook.*secret/],
  ])('%j is refused by the name of the field', (input, message) => {
    expect(() => check(schemas.crawl, crawl(input))).toThrow(message)
  })
})

describe('A batch of version 1', () => {
  test('has the words of a scrape, and those of a batch', () => {
    const own = { webhook: 'https://hook.test/', ignoreInvalidURLs: true, maxConcurrency: 2 }
    const translated = batch({ ...own, formats: ['screenshot@fullPage'], geolocation: { country: 'de' } })
    expect(translated).toMatchObject({ urls: ['https://a.test/'], ignoreInvalidURLs: true, maxConcurrency: 2 })
    expect(check(schemas.batch, translated)).toMatchObject({
      formats: [{ type: 'screenshot', fullPage: true }],
      location: { country: 'DE' },
    })
  })

  test('leaves to the engine which addresses are right', () => {
    expect(batch({ urls: ['no url'], ignoreInvalidURLs: true })).toMatchObject({ urls: ['no url'] })
    expect(check(schemas.batch, batch({ urls: ['no url'] }))).toMatchObject({ ignoreInvalidURLs: false })
  })

  test.each([
    [{ urls: undefined }, /urls is required/],
    [{ urls: [] }, /urls must not be empty/],
    [{ url: 'a.test' }, /url is not a known key/],
    [{ maxConcurrency: 0 }, /maxConcurrency/],
    [{ appendToId: 'x' }, /appendToId/],
    [{ formats: ['extract'] }, /corresponding options/],
  ])('%j is refused by the name of the field', (input, message) => {
    expect(() => batch(input)).toThrow(message)
  })
})

describe('A map of version 1', () => {
  test.each([
    [{}, undefined],
    [{ ignoreSitemap: true }, 'skip'],
    [{ ignoreSitemap: false }, 'include'],
    [{ sitemapOnly: true }, 'only'],
    [{ sitemapOnly: false, ignoreSitemap: true }, 'skip'],
    [{ sitemapOnly: true, ignoreSitemap: true }, 'only'],
  ])('with %j has the sitemap: %s', (input, expected) => {
    const asked = map(input)
    expect(asked['sitemap']).toBe(expected)
    expect(Object.keys(asked)).not.toEqual(expect.arrayContaining(['ignoreSitemap']))
    expect(Object.keys(asked)).not.toEqual(expect.arrayContaining(['sitemapOnly']))
  })

  test('does not know the word of version 2', () => {
    expect(() => map({ sitemap: 'only' })).toThrow(/sitemap is not a known key/)
  })
})

const page = fc.record(
  {
    formats: fc.subarray(['markdown', 'html', 'links', 'screenshot@fullPage']),
    onlyMainContent: fc.boolean(),
    parsePDF: fc.boolean(),
    waitFor: fc.integer({ min: 0, max: 500 }),
    geolocation: fc.record({ country: fc.constantFrom('US', 'de') }),
    maxAge: fc.nat(),
  },
  { requiredKeys: [] },
)
const webhook = fc.constantFrom('https://hook.test/', {
  url: 'https://hook.test/',
  events: ['page'],
  metadata: { a: 'b' },
})
const crawls = fc.record(
  {
    url: fc.constantFrom('a.test', 'https://a.test/x/y'),
    includePaths: fc.constantFrom([], ['/a/.*']),
    excludePaths: fc.constantFrom([], ['^/b']),
    maxDepth: fc.integer({ min: 2, max: 20 }),
    maxDiscoveryDepth: fc.nat(5),
    limit: fc.integer({ min: 1, max: 1e6 }),
    allowBackwardLinks: fc.boolean(),
    crawlEntireDomain: fc.boolean(),
    allowExternalLinks: fc.boolean(),
    allowSubdomains: fc.boolean(),
    ignoreRobotsTxt: fc.boolean(),
    ignoreSitemap: fc.boolean(),
    deduplicateSimilarURLs: fc.boolean(),
    ignoreQueryParameters: fc.boolean(),
    regexOnFullURL: fc.boolean(),
    delay: fc.constantFrom(0.5, 2, 60),
    maxConcurrency: fc.integer({ min: 1, max: 50 }),
    webhook,
    scrapeOptions: page,
    zeroDataRetention: fc.boolean(),
  },
  { requiredKeys: ['url'] },
)
const batches = fc
  .record(
    {
      urls: fc.constantFrom(['a.test'], ['https://a.test/x', 'b.test']),
      webhook,
      appendToId: fc.uuid(),
      ignoreInvalidURLs: fc.boolean(),
      maxConcurrency: fc.integer({ min: 1, max: 50 }),
      page,
    },
    { requiredKeys: ['urls', 'page'] },
  )
  .map(({ page: options, ...own }) => ({ ...own, ...options }))
const maps = fc.record(
  { url: fc.constant('a.test'), ignoreSitemap: fc.boolean(), sitemapOnly: fc.boolean() },
  { requiredKeys: ['url'] },
)

describe('Whatever version 1 can say of many pages', () => {
  test.each([
    ['crawl', crawls, v1.crawl, crawlToCore],
    ['batch', batches, v1.batch, batchToCore],
    ['map', maps, v1.map, mapToCore],
  ] as const)('the engine understands of a %s, in its own words only', (kind, requests, schema, translate) => {
    const words = new Set(Object.keys(fieldsOf(schemas[kind])))
    const properly = fc.property(requests as fc.Arbitrary<object>, (request) => {
      const translated = translate(check(schema, JSON.parse(JSON.stringify(request))) as never)
      for (const key of Object.keys(translated)) expect(words).toContain(key)
      expect(() => check(schemas[kind], translated)).not.toThrow()
    })
    fc.assert(properly, { numRuns: 200 })
  })

  test('is told of a crawl that runs in words of version 1 only', () => {
    const words = new Set(Object.keys(fieldsOf(v1.crawl)))
    const pageWords = new Set(Object.keys(fieldsOf(fieldsOf(v1.crawl)['scrapeOptions']!)))
    const properly = fc.property(crawls, (request) => {
      const asked = crawlToCore(check(v1.crawl, request))
      const options = optionsFromCore(check(schemas.crawl, asked) as unknown as Record<string, unknown>)
      for (const key of Object.keys(options)) expect(words).toContain(key)
      for (const key of Object.keys(options['scrapeOptions'] as object)) expect(pageWords).toContain(key)
      expect(options).toMatchObject({ maxDepth: request.maxDepth ?? 10, ignoreSitemap: request.ignoreSitemap ?? false })
    })
    fc.assert(properly, { numRuns: 100 })
  })
})
