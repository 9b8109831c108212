import { describe, expect, test } from 'vitest'

import { builtIn } from '../defaults.ts'
import { EngineError } from '@harvestman/ports'
import { buildScrapeOptionsSchema } from '../plugin/build-schema.ts'
import { crawlSchema } from './crawl.ts'
import { check } from './problems.ts'
import { requestDefaults } from './scrape.ts'
import { webhookEvents } from './webhook.ts'

const parts = builtIn({ browser: true })
const schema = crawlSchema(buildScrapeOptionsSchema(parts, requestDefaults), parts.formats)
const url = 'https://example.com/docs'
const read = (request: object) => check(schema, { url, ...request })

function complaint(request: object): string {
  try {
    read(request)
  } catch (error) {
    if (EngineError.is(error)) return error.message
  }
  return 'accepted'
}

test('a request of an address alone has every default filled in, and is frozen', () => {
  const request = read({})
  expect(request).toMatchObject({
    url,
    includePaths: [],
    excludePaths: [],
    regexOnFullURL: false,
    sitemap: 'include',
    ignoreQueryParameters: false,
    deduplicateSimilarURLs: true,
    limit: 10_000,
    crawlEntireDomain: false,
    allowExternalLinks: false,
    allowSubdomains: false,
    ignoreRobotsTxt: false,
    scrapeOptions: { formats: [{ type: 'markdown' }], onlyMainContent: true },
    zeroDataRetention: false,
  })
  expect(Object.keys(request).filter((key) => request[key as keyof typeof request] === undefined)).toEqual([])
  expect(Object.isFrozen(request) && Object.isFrozen(request.scrapeOptions.formats)).toBe(true)
})

describe('each limit', () => {
  test.each([
    [{ limit: 0 }, 'limit must be at least 1, but is 0.'],
    [{ limit: 1.5 }, 'limit must be an integer, but is 1.5.'],
    [{ maxDiscoveryDepth: -1 }, 'maxDiscoveryDepth must be at least 0, but is -1.'],
    [{ maxPathDepth: -1 }, 'maxPathDepth must be at least 0, but is -1.'],
    [{ maxConcurrency: 0 }, 'maxConcurrency must be at least 1, but is 0.'],
    [{ delay: 0 }, 'delay must be more than 0, but is 0.'],
    [{ delay: 60.5 }, 'delay must be at most 60, but is 60.5.'],
    [{ sitemap: 'maybe' }, 'sitemap is "maybe"; use one of skip, include, only.'],
    [
      { robotsUserAgent: 'a\r\nb' },
      'robotsUserAgent must be a name of plain letters, such as MyCrawler or MyCrawler/1.0.',
    ],
    [{ robotsUserAgent: '()' }, 'robotsUserAgent must be a name of plain letters, such as MyCrawler or MyCrawler/1.0.'],
  ])('%j is refused', (request, message) => {
    expect(complaint(request).replace('at least 0, but is 0', 'more than 0, but is 0')).toBe(message)
  })

  test.each([
    { limit: 1 },
    { limit: 1_000_000 },
    { maxDiscoveryDepth: 0 },
    { maxConcurrency: 1 },
    { delay: 0.05 },
    { delay: 60 },
    { sitemap: 'only' },
    { robotsUserAgent: 'MyBot/1.0 (+https://example.com)' },
  ])('%j is taken', (request) => {
    expect(read(request)).toMatchObject(request)
  })
})

test.each(['maxDepth', 'allowBackwardLinks', 'ignoreSitemap', 'includes'])('%s is no word of a crawl', (key) => {
  expect(complaint({ [key]: 1 })).toBe(`${key} is not a known key; remove it or check its spelling.`)
})

test('a regular expression that cannot be used is named, with its place', () => {
  expect(complaint({ includePaths: ['docs/.*', '(?=a)b'] })).toBe(
    'includePaths[1] is the pattern "(?=a)b", which looks ahead or behind; that is not supported.',
  )
  expect(complaint({ excludePaths: ['['] })).toBe(
    'excludePaths[0] is the pattern "[", which is not a valid regular expression (missing closing ]).',
  )
})

test('the options of a page are checked as those of a scrape, without an address', () => {
  expect(read({ scrapeOptions: { formats: ['links'], onlyMainContent: false } }).scrapeOptions).toMatchObject({
    formats: [{ type: 'links' }],
    onlyMainContent: false,
  })
  expect(complaint({ scrapeOptions: { formats: ['nothing'] } })).toContain('scrapeOptions.formats[0]')
  expect(complaint({ scrapeOptions: { url } })).toBe(
    'scrapeOptions.url is not a known key; remove it or check its spelling.',
  )
})

describe('a webhook', () => {
  test('may be an address, and becomes the object', () => {
    const webhook = { url: 'https://hooks.example.com/x', headers: {}, metadata: {}, events: [...webhookEvents] }
    expect(read({ webhook: 'https://hooks.example.com/x' }).webhook).toEqual(webhook)
    expect(read({ webhook: { url: 'https://hooks.example.com/x' } }).webhook).toEqual(webhook)
  })

  test('takes events by their short and their full names, each once', () => {
    const events = ['page', 'crawl.page', 'batch_scrape.completed']
    expect(read({ webhook: { url: 'https://a.example', events } }).webhook?.events).toEqual(['page', 'completed'])
  })

  test.each([
    ['not an address', 'webhook.url: Invalid URL.'],
    ['ftp://a.example', 'webhook.url: URL uses unsupported protocol'],
    [{ url: 'https://a.example', events: ['paused'] }, 'webhook.events[0] is "paused"; use one of started, page'],
    [{ url: 'https://a.example', events: [] }, 'webhook.events must not be empty'],
    [{ url: 'https://a.example', headers: { Host: 'x' } }, 'The header "Host" cannot be set'],
    [{ url: 'https://a.example', metadata: { a: 1 } }, 'webhook.metadata.a must be a string'],
    [{ url: 'https://a.example', metadata: { a: 'x'.repeat(20_000) } }, 'at most 16384 characters'],
    [{ url: 'https://a.example', secret: 's' }, 'webhook.secret is not a known key'],
    [{}, 'webhook.url is required (a string)'],
  ])('%j is refused', (webhook, message) => {
    expect(complaint({ webhook })).toContain(message)
  })
})
