import { describe, expect, test } from 'vitest'

import { reasons, type Reason } from './reasons.ts'
import { makeCrawlScope, type AllowedByRobots, type FoundBy, type ScopeRequest } from './scope.ts'

const plain: ScopeRequest = {
  includePaths: [],
  excludePaths: [],
  regexOnFullURL: false,
  sitemap: 'include',
  ignoreQueryParameters: false,
  crawlEntireDomain: false,
  allowExternalLinks: false,
  allowSubdomains: false,
}
const onStart = { by: 'link', page: 'https://example.com/', depth: 0, isExternal: false } as const satisfies FoundBy

function judge(
  url: string,
  request: Partial<ScopeRequest> = {},
  {
    start = 'https://example.com/',
    found = onStart,
    allows,
  }: { start?: string; found?: FoundBy; allows?: AllowedByRobots } = {},
): Reason | 'taken' {
  const verdict = makeCrawlScope(start, { ...plain, ...request }, allows).judge(url, found)
  return verdict.take ? 'taken' : verdict.reason
}

describe('each reason', () => {
  const rows: [url: string, request: Partial<ScopeRequest>, expected: Reason | 'taken'][] = [
    ['https://example.com/a', {}, 'taken'],
    ['http://www.example.com/a', {}, 'taken'],
    ['http://[::1', {}, 'URL_PARSE_ERROR'],
    ['mailto:me@example.com', {}, 'NON_WEB_PROTOCOL'],
    ['javascript:void(0)', {}, 'NON_WEB_PROTOCOL'],
    [`https://example.com/${'x'.repeat(2100)}`, {}, 'URL_TOO_LONG'],
    ['https://example.com/#top', {}, 'SECTION_LINK'],
    ['https://example.com/#/route', {}, 'taken'],
    ['https://example.com/other#top', {}, 'taken'],
    ['https://example.com/a', { sitemap: 'only' }, 'DISCOVERY_OFF'],
    ['https://example.com/a', { maxDiscoveryDepth: 0 }, 'DEPTH_LIMIT'],
    ['https://example.com/a', { maxDiscoveryDepth: 1 }, 'taken'],
    ['https://example.com/a/b/c', { maxPathDepth: 2 }, 'DEPTH_LIMIT'],
    ['https://example.com/a/b/index.html', { maxPathDepth: 2 }, 'taken'],
    ['https://www.facebook.com/us', { allowExternalLinks: true }, 'SOCIAL_MEDIA'],
    ['https://github.com/us/it', {}, 'SOCIAL_MEDIA'],
    ['https://other.com/a', {}, 'EXTERNAL_LINK'],
    ['https://other.com/a', { allowExternalLinks: true }, 'taken'],
    ['https://other.com/', { allowExternalLinks: true }, 'EXTERNAL_LINK'],
    ['https://other.com/?page=1', { allowExternalLinks: true }, 'taken'],
    ['https://blog.example.com/a', {}, 'SUBDOMAIN'],
    ['https://blog.example.com/', { allowSubdomains: true }, 'taken'],
    ['https://example.com/private/a', { excludePaths: ['private'] }, 'EXCLUDE_PATTERN'],
    ['https://example.com/a?private', { excludePaths: ['private'] }, 'taken'],
    ['https://example.com/a?private', { excludePaths: ['private'], regexOnFullURL: true }, 'EXCLUDE_PATTERN'],
    ['https://example.com/a', { includePaths: ['^/docs'] }, 'INCLUDE_PATTERN'],
    ['https://example.com/docs/a', { includePaths: ['^/blog', '^/docs'] }, 'taken'],
    ['https://example.com/docs/a', { includePaths: ['^https://example.com/docs/'], regexOnFullURL: true }, 'taken'],
    ['https://example.com/logo.PNG', {}, 'FILE_TYPE'],
    ['https://example.com/logo.PNG', { parsers: [{ type: 'pdf' }, { type: 'image' }] }, 'taken'],
    ['https://example.com/icon.ico', { parsers: [{ type: 'image' }] }, 'FILE_TYPE'],
    ['https://example.com/app.js?v=2', {}, 'FILE_TYPE'],
    ['https://example.com/paper.pdf', {}, 'taken'],
    ['https://example.com/table.xlsx', {}, 'taken'],
    ['https://example.com/node.js/intro', {}, 'taken'],
  ]
  test.each(rows)('%s with %j: %s', (url, request, expected) => {
    expect(judge(url, request)).toBe(expected)
  })

  test('has a sentence, and a pattern that fits is named in it', () => {
    for (const sentence of Object.values(reasons)) expect(sentence).toMatch(/^[A-Z].*\.$/)
    const verdict = makeCrawlScope('https://example.com', { ...plain, excludePaths: ['x', 'y.'] }).judge(
      'https://example.com/yy',
      onStart,
    )
    expect(verdict).toMatchObject({ sentence: 'The URL matches the pattern "y." of `excludePaths`.' })
  })

  test('is the first that applies', () => {
    const allows = () => false
    const request = { excludePaths: ['a'], includePaths: ['b'] }
    const start = 'https://example.com/docs/'
    expect(judge('https://example.com/a.png', request, { start, allows })).toBe('EXCLUDE_PATTERN')
    expect(judge('https://example.com/c.png', request, { start, allows })).toBe('INCLUDE_PATTERN')
    expect(judge('https://example.com/b.png', request, { start, allows })).toBe('BACKWARD_CRAWLING')
    expect(judge('https://example.com/docs/b.png', request, { start, allows })).toBe('ROBOTS_TXT')
    expect(judge('https://example.com/docs/b.png', request, { start })).toBe('FILE_TYPE')
  })
})

test.each([
  ['/docs', '/docs', 'taken'],
  ['/docs', '/docs/', 'taken'],
  ['/docs', '/docs/intro', 'taken'],
  ['/docs', '/docs-old', 'taken'],
  ['/docs/', '/docs', 'taken'],
  ['/docs/', '/docs-old', 'BACKWARD_CRAWLING'],
  ['/docs/index.html', '/docs/intro.html', 'taken'],
  ['/docs/index.html', '/blog', 'BACKWARD_CRAWLING'],
  ['/docs', '/', 'BACKWARD_CRAWLING'],
])('a crawl of %s: %s is %s', (start, path, expected) => {
  expect(judge(`https://example.com${path}`, {}, { start: `https://example.com${start}` })).toBe(expected)
  expect(
    judge(`https://example.com${path}`, { crawlEntireDomain: true }, { start: `https://example.com${start}` }),
  ).toBe('taken')
})

test('segments of the path are counted from the start', () => {
  const where = { start: 'https://example.com/docs/en/' }
  expect(judge('https://example.com/docs/en/a', { maxPathDepth: 1 }, where)).toBe('taken')
  expect(judge('https://example.com/docs/en/a/b', { maxPathDepth: 1 }, where)).toBe('DEPTH_LIMIT')
})

test('below the start means the start itself: other hosts that are allowed have no such path', () => {
  const where = { start: 'https://example.com/docs/' }
  expect(judge('https://blog.example.com/post', { allowSubdomains: true }, where)).toBe('taken')
  expect(judge('https://other.com/post', { allowExternalLinks: true }, where)).toBe('taken')
})

describe('hosts that look alike', () => {
  test.each([
    ['https://example.com.evil.com/a', 'EXTERNAL_LINK'],
    ['https://evilexample.com/a', 'EXTERNAL_LINK'],
    ['https://example.com@evil.com/a', 'EXTERNAL_LINK'],
    ['https://example.com%2eevil.com/a', 'EXTERNAL_LINK'],
    ['https://example.org/a', 'EXTERNAL_LINK'],
    ['https://xn--xample-9uf.com/a', 'EXTERNAL_LINK'],
    ['https://ехample.com/a', 'EXTERNAL_LINK'],
    ['https://example.co/a', 'EXTERNAL_LINK'],
    ['https://www.evil.com/?https://example.com/', 'EXTERNAL_LINK'],
    ['https://a.b.example.com/a', 'taken'],
    ['https://EXAMPLE.com/a', 'taken'],
    ['https://example.com./a', 'taken'],
  ])('%s with subdomains allowed: %s', (url, expected) => {
    expect(judge(url, { allowSubdomains: true })).toBe(expected)
  })

  test('names below a public suffix belong to different people', () => {
    const subdomains = { allowSubdomains: true }
    expect(judge('https://b.co.uk/a', subdomains, { start: 'https://a.co.uk/' })).toBe('EXTERNAL_LINK')
    expect(judge('https://shop.a.co.uk/a', subdomains, { start: 'https://a.co.uk/' })).toBe('taken')
    expect(judge('https://you.github.io/a', subdomains, { start: 'https://me.github.io/' })).toBe('EXTERNAL_LINK')
    expect(judge('https://b.test.example/a', subdomains, { start: 'https://test.example/' })).toBe('taken')
    expect(judge('https://gist.github.com/a', subdomains, { start: 'https://github.com/' })).toBe('taken')
  })
})

test('the one hop to other sites ends there, and the way back in is free', () => {
  const found: FoundBy = { by: 'link', page: 'https://other.com/a', depth: 1, isExternal: true }
  const request = { allowExternalLinks: true }
  expect(judge('https://other.com/b', request, { found })).toBe('EXTERNAL_LINK')
  expect(judge('https://third.com/b', request, { found })).toBe('EXTERNAL_LINK')
  expect(judge('https://example.com/b', request, { found })).toBe('taken')
})

test('what is taken is told with its normalised address, host, depth and place', () => {
  const scope = makeCrawlScope('https://example.com', {
    ...plain,
    allowExternalLinks: true,
    ignoreQueryParameters: true,
  })
  const found: FoundBy = { ...onStart, depth: 2 }
  expect(scope.judge('https://Example.com:443/a/../b?c=1#d', found)).toEqual({
    take: true,
    url: 'https://example.com/b',
    host: 'example.com',
    depth: 3,
    isExternal: false,
  })
  expect(scope.judge('http://other.com:8080/x', { by: 'sitemap' })).toMatchObject({
    host: 'other.com:8080',
    depth: 0,
    isExternal: true,
  })
})

describe('redirects', () => {
  const docs = makeCrawlScope('https://example.com/docs', plain)

  test('a start that moves to another host moves the crawl there, with the path it has there', () => {
    const moved = docs.moved('https://docs.other.com/en/')
    expect(moved.start).toBe('https://docs.other.com/en/')
    const verdict = (url: string) => {
      const verdict = moved.judge(url, { ...onStart, page: moved.start })
      return verdict.take || verdict.reason
    }
    expect(verdict('https://docs.other.com/en/a')).toBe(true)
    expect(verdict('https://docs.other.com/de/a')).toBe('BACKWARD_CRAWLING')
    expect(verdict('https://example.com/docs/a')).toBe('EXTERNAL_LINK')
  })

  test('a start that moves on its own host keeps the path that was asked for', () => {
    const moved = docs.moved('https://www.example.com/docs/intro')
    expect(moved.judge('https://www.example.com/docs/other', onStart).take).toBe(true)
  })

  test('a page that redirects out of the crawl is not kept, and the reason says where to', () => {
    expect(docs.judgeLanding('https://www.example.com/docs/b', { depth: 1 })).toMatchObject({ take: true, depth: 1 })
    expect(docs.judgeLanding('https://other.com/docs/b', { depth: 1 })).toMatchObject({
      reason: 'REDIRECT',
      sentence: expect.stringContaining('https://other.com/docs/b'),
    })
    expect(docs.judgeLanding('https://example.com/login', { depth: 1 })).toMatchObject({
      sentence: expect.stringContaining(reasons.BACKWARD_CRAWLING),
    })
  })

  test('a page of another site may redirect on that site', () => {
    const open = makeCrawlScope('https://example.com', { ...plain, allowExternalLinks: true })
    expect(open.judgeLanding('https://www.other.com/b', { depth: 1 })).toMatchObject({ take: true, isExternal: true })
  })
})

test('the start must fit the patterns and robots.txt, and nothing else', () => {
  const start = 'https://example.com/files/logo.png'
  const verdict = (request: Partial<ScopeRequest>, allows?: AllowedByRobots) => {
    const verdict = makeCrawlScope(start, { ...plain, ...request }, allows).judgeStart()
    return verdict.take || verdict.reason
  }
  expect(verdict({ maxPathDepth: 0, sitemap: 'only', maxDiscoveryDepth: 0 })).toBe(true)
  expect(verdict({ includePaths: ['^/docs'] })).toBe('INCLUDE_PATTERN')
  expect(verdict({ excludePaths: ['logo'] })).toBe('EXCLUDE_PATTERN')
  expect(verdict({}, () => false)).toBe('ROBOTS_TXT')
})

// A site of six pages: a chain of three hops, a page that is one hop away but three segments deep, and two of the sitemap.
describe('discovery depth, path depth and sitemap', () => {
  const links: Readonly<Record<string, readonly string[]>> = {
    '/': ['/a', '/x/y/z'],
    '/a': ['/a/b'],
    '/a/b': ['/a/b/c'],
    '/map/deep': ['/map/deep/er'],
  }
  const sitemap = ['/a/b', '/map/deep']

  function crawl(request: Partial<ScopeRequest>): string {
    const scope = makeCrawlScope('https://example.com/', { ...plain, ...request })
    const visited = new Map<string, number>([['/', 0]])
    const queue: [path: string, depth: number][] = [['/', 0]]
    const take = (path: string, found: FoundBy) => {
      const verdict = scope.judge(`https://example.com${path}`, found)
      if (!verdict.take || visited.has(path)) return
      visited.set(path, verdict.depth)
      queue.push([path, verdict.depth])
    }
    if (request.sitemap !== 'skip') for (const path of sitemap) take(path, { by: 'sitemap' })
    for (const [path, depth] of queue) {
      const page = `https://example.com${path}`
      for (const link of links[path] ?? []) take(link, { by: 'link', page, depth, isExternal: false })
    }
    return [...visited].map(([path, depth]) => `${path} ${depth}`).join(', ')
  }

  test.each([
    [0, undefined, 'include', '/ 0, /a/b 0, /map/deep 0'],
    [0, undefined, 'skip', '/ 0'],
    [0, 1, 'include', '/ 0'],
    [0, 1, 'skip', '/ 0'],
    [1, undefined, 'include', '/ 0, /a/b 0, /map/deep 0, /a 1, /x/y/z 1, /a/b/c 1, /map/deep/er 1'],
    [1, undefined, 'skip', '/ 0, /a 1, /x/y/z 1'],
    [1, 2, 'include', '/ 0, /a/b 0, /map/deep 0, /a 1'],
    [1, 2, 'skip', '/ 0, /a 1'],
    [undefined, undefined, 'include', '/ 0, /a/b 0, /map/deep 0, /a 1, /x/y/z 1, /a/b/c 1, /map/deep/er 1'],
    [undefined, undefined, 'skip', '/ 0, /a 1, /x/y/z 1, /a/b 2, /a/b/c 3'],
    [undefined, 2, 'skip', '/ 0, /a 1, /a/b 2'],
    [undefined, undefined, 'only', '/ 0, /a/b 0, /map/deep 0'],
  ] as const)('hops %s, segments %s, sitemap %s: %s', (maxDiscoveryDepth, maxPathDepth, sitemap, visited) => {
    expect(crawl({ maxDiscoveryDepth, maxPathDepth, sitemap })).toBe(visited)
  })
})

test('of a thousand links the three that fit are taken, so a limit of three is filled by them', () => {
  const scope = makeCrawlScope('https://example.com/', { ...plain, includePaths: ['/wanted/'] })
  const urls = Array.from(
    { length: 1000 },
    (_, index) => `https://example.com/${index % 334 === 5 ? 'wanted' : 'other'}/${index}`,
  )
  const taken = urls.filter((url) => scope.judge(url, onStart).take)
  expect(taken).toEqual([5, 339, 673].map((index) => `https://example.com/wanted/${index}`))
})

test('an external link is skipped on every page, unless the crawl follows external links', () => {
  const dependsOnPage = (allowExternalLinks: boolean): boolean =>
    makeCrawlScope('https://example.com/', { ...plain, allowExternalLinks }).dependsOnPage('EXTERNAL_LINK')
  expect([dependsOnPage(false), dependsOnPage(true)]).toEqual([false, true])
  expect(makeCrawlScope('https://example.com/', plain).dependsOnPage('DEPTH_LIMIT')).toBe(true)
})
