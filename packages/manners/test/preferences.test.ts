// @module-tag browser
// Preferences of sites over real HTTP and in a real browser: the format, and the policy that refuses pages.
import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine, type EngineOptions } from '@harvestman/core'
import { definePlugin, definePolicy } from '@harvestman/core/plugin'
import { puppeteerBrowser } from '@harvestman/puppeteer'
import { afterEach, beforeAll, afterAll, beforeEach, describe, expect, test } from 'vitest'

import { sitePreferences, type SitePreferencesOptions } from '../src/index.ts'

interface Response {
  readonly body?: string
  readonly headers?: OutgoingHttpHeaders
  readonly status?: number
}

let site: Server
let origin: string
let answers: Record<string, Response> = {}
const seen: string[] = []
const opened: { close(): Promise<void> }[] = []

const page = (head = '', body = ''): string =>
  `<!doctype html><title>Page</title>${head}<main><p>Some text that is long enough to stay.</p>${body}</main>`
const text = { 'content-type': 'text/plain' }

beforeAll(async () => {
  site = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://x')
    seen.push(pathname)
    const isFile = /\.(?:txt|json|xml)$/.test(pathname)
    const { body, headers = {}, status = 200 } = answers[pathname] ?? (isFile ? { status: 404, body: '' } : {})
    response.writeHead(status, { 'content-type': isFile ? 'text/plain' : 'text/html', ...headers })
    response.end(body ?? page())
  })
  await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
beforeEach(() => {
  answers = {}
  seen.splice(0)
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine.close()))
})
afterAll(async () => {
  site.closeAllConnections()
  await new Promise((resolve) => void site.close(resolve))
})

function open(options: SitePreferencesOptions = {}, more: EngineOptions = {}) {
  const plugins = [sitePreferences(options), ...(more.plugins ?? [])] as const
  const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], defaults: { timeout: 290_000 }, ...more, plugins })
  opened.push(engine)
  return engine
}

const robots = (lines: string): Response => ({ body: `User-agent: *\n${lines}`, headers: text })
const preferences = { formats: ['preferences'] } as const
const denied = (reason: RegExp) => ({ code: 'policy_denied', message: expect.stringMatching(reason) as string })

describe('the format preferences', () => {
  test('has what robots.txt, tdmrep.json, a licence, headers and elements state, with their sources', async () => {
    answers = {
      '/robots.txt': robots('Content-Signal: search=yes, ai-input=no\nLicense: /rsl.xml\n'),
      '/.well-known/tdmrep.json': { body: '[{"location": "/", "tdm-reservation": 1, "tdm-policy": "/tdm.json"}]' },
      '/rsl.xml': {
        body: '<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><permits type="usage">search</permits><payment type="free"/></license></content></rsl>',
      },
      '/llms.txt': { body: '# A site\n\nLinks.' },
      '/page': {
        body: page('<meta name="ROBOTS" content="noindex, noai">'),
        headers: { 'content-usage': 'train-ai=n' },
      },
    }
    const { preferences: found } = await open().scrape({ url: `${origin}/page`, ...preferences })
    expect(found?.uses).toEqual({ search: true, 'ai-input': false, 'ai-train': false, tdm: false })
    const places = new Map(found?.statements.map(({ signal, where }) => [signal, where]))
    expect(Object.fromEntries(places)).toEqual({
      'content-signal': `${origin}/robots.txt`,
      'tdm-reservation': `${origin}/.well-known/tdmrep.json`,
      rsl: `${origin}/rsl.xml`,
      'content-usage': `header content-usage of ${origin}/page`,
      'robots-tag': `meta element robots of ${origin}/page`,
    })
    expect(found?.licenses).toMatchObject([
      { url: `${origin}/rsl.xml`, isRead: true, terms: [{ permits: ['search'] }] },
    ])
    expect(found).toMatchObject({ policies: [`${origin}/tdm.json`], llmsTxt: `${origin}/llms.txt` })
  })

  test('reads licences that a page links to, and only lists those on other hosts', async () => {
    const other = 'https://licences.example/rsl.xml'
    answers['/page'] = {
      body: page('<link rel="license" type="application/rsl+xml" href="/rsl.xml">'),
      headers: { link: `<${other}>; rel="license"; type="application/rsl+xml"` },
    }
    answers['/rsl.xml'] = {
      body: '<rsl><content url="/"><license><prohibits type="usage">ai-train</prohibits></license></content></rsl>',
    }
    const { preferences: found } = await open().scrape({ url: `${origin}/page`, ...preferences })
    expect(found?.uses['ai-train']).toBe(false)
    expect(found?.licenses.map(({ url, isRead }) => [url, isRead])).toEqual([
      [other, false],
      [`${origin}/rsl.xml`, true],
    ])
  })

  test('lets the reservation of a page replace that of its site', async () => {
    answers['/.well-known/tdmrep.json'] = { body: '[{"location": "/", "tdm-reservation": 1}]' }
    answers['/open'] = { headers: { 'tdm-reservation': '0' } }
    const engine = open()
    const usesOf = async (path: string) =>
      (await engine.scrape({ url: `${origin}${path}`, ...preferences })).preferences?.uses
    expect(await usesOf('/open')).toEqual({ 'ai-train': true, tdm: true })
    expect(await usesOf('/other')).toEqual({ 'ai-train': false, tdm: false })
  })

  test('requests each file of a site once', async () => {
    const engine = open()
    for (const path of ['/a', '/b']) await engine.scrape({ url: `${origin}${path}`, ...preferences })
    expect(seen.toSorted()).toEqual(['/.well-known/tdmrep.json', '/a', '/b', '/llms.txt', '/robots.txt'])
  })

  test('requests no file of the site with site: false', async () => {
    answers['/page'] = { headers: { 'x-robots-tag': 'noai' } }
    const formats = [{ type: 'preferences', site: false }] as const
    const { preferences: found } = await open().scrape({ url: `${origin}/page`, formats })
    expect(found?.uses).toEqual({ 'ai-train': false })
    expect(seen).toEqual(['/page'])
  })

  test('is not asked of other scrapes, which request the page only', async () => {
    await open().scrape({ url: `${origin}/page` })
    expect(seen).toEqual(['/page'])
  })

  test('reads the headers of a file, and a page that returns HTML for every path states nothing', async () => {
    answers['/file.csv'] = {
      body: 'a,b\n1,2\n',
      headers: { 'content-type': 'text/csv', 'content-usage': 'train-ai=n' },
    }
    for (const path of ['/robots.txt', '/.well-known/tdmrep.json', '/llms.txt']) answers[path] = { body: page() }
    const { preferences: found } = await open().scrape({ url: `${origin}/file.csv`, ...preferences })
    expect(found).toMatchObject({ uses: { 'ai-train': false }, statements: [{ signal: 'content-usage' }] })
    expect(found).not.toHaveProperty('llmsTxt')
  })

  test('does not follow a redirect of a file to another host', async () => {
    const elsewhere = origin.replace('127.0.0.1', 'localhost')
    answers['/.well-known/tdmrep.json'] = { status: 302, headers: { location: `${elsewhere}/away.json` } }
    await open({}, { allowPrivate: ['127.0.0.0/8', '::1/128'] }).scrape({ url: `${origin}/page`, ...preferences })
    expect(seen).not.toContain('/away.json')
  })
})

describe.each([
  ['over HTTP', {}, {}],
  ['in a browser', { formats: ['markdown', 'screenshot'] }, { browser: puppeteerBrowser() }],
])('the policy, %s', (_, request, more) => {
  const scrape = async (path: string, options: SitePreferencesOptions = { uses: ['ai-train'] }, team?: string) =>
    open(options, more).scrape({ url: `${origin}${path}`, ...request } as never, team === undefined ? {} : { team })

  test('refuses a page that robots.txt forbids for the use before it is requested, and names the line', async () => {
    answers['/robots.txt'] = robots('Content-Signal: search=yes,ai-train=no')
    await expect(scrape('/page')).rejects.toMatchObject(
      denied(
        /does not allow the use ai-train: "Content-Signal: search=yes,ai-train=no" \(http:\/\/127\.0\.0\.1:\d+\/robots\.txt\)/,
      ),
    )
    expect(seen).not.toContain('/page')
  })

  test('allows a use that the site permits', async () => {
    answers['/robots.txt'] = robots('Content-Signal: search=yes,ai-train=no')
    await scrape('/page', { uses: ['search'] })
    expect(seen).toContain('/page')
  })

  test.each<[string, Response, RegExp]>([
    ['a header', { headers: { 'content-usage': 'train-ai=n' } }, /"train-ai=n" \(header content-usage/],
    ['a robots tag', { headers: { 'x-robots-tag': 'noai' } }, /"noai" \(header x-robots-tag/],
    ['an element', { body: page('<meta name="robots" content="noai">') }, /"noai" \(meta element robots/],
    [
      'a reservation',
      { body: page('<meta name="tdm-reservation" content="1">') },
      /"1" \(meta element tdm-reservation/,
    ],
  ])('refuses a page that forbids the use with %s', async (_, response, reason) => {
    answers['/page'] = response
    await expect(scrape('/page')).rejects.toMatchObject(denied(reason))
  })

  test('refuses a page to which a redirect leads', async () => {
    answers['/moved'] = { status: 302, headers: { location: '/page' } }
    answers['/robots.txt'] = robots('Content-Usage: /page train-ai=n')
    await expect(scrape('/moved')).rejects.toMatchObject(denied(/Content-Usage: \/page train-ai=n/))
    expect(seen).not.toContain('/page')
  })

  test('depends on the team, and exempts hosts with an agreement', async () => {
    answers['/page'] = { headers: { 'content-usage': 'train-ai=n' } }
    const uses = (team: string) => (team === 'trainers' ? (['ai-train'] as const) : [])
    await scrape('/page', { uses }, 'readers')
    await expect(scrape('/page', { uses }, 'trainers')).rejects.toMatchObject(denied(/ai-train/))
    await scrape('/page', { uses: ['ai-train'], licensed: ['127.0.0.1'] })
  })
})

describe('the policy', () => {
  const forbidden = { headers: { 'content-usage': 'train-ai=n' } }

  test('refuses single pages of a batch, with the reason', async () => {
    answers['/no'] = forbidden
    const batch = await open({ uses: ['ai-train'] }).batch({ urls: [`${origin}/yes`, `${origin}/no`] })
    expect(await batch.end()).toMatchObject({ completed: 1, failed: 1 })
    expect((await batch.errors()).errors).toMatchObject([
      { url: `${origin}/no`, code: 'policy_denied', error: expect.stringMatching(/train-ai=n/) as string },
    ])
  })

  test('refuses single pages of a crawl, and requests robots.txt once for both', async () => {
    answers['/start'] = { body: page('', '<a href="/no">no</a> <a href="/yes">yes</a> <a href="/shut">shut</a>') }
    answers['/no'] = forbidden
    answers['/robots.txt'] = robots('Content-Usage: /shut train-ai=n')
    const crawl = await open({ uses: ['ai-train'] }).crawl({ url: `${origin}/start`, crawlEntireDomain: true })
    expect(await crawl.end()).toMatchObject({ completed: 2, failed: 2 })
    const { errors } = await crawl.errors()
    expect(errors.map(({ url, code }) => `${code} ${url}`).toSorted()).toEqual([
      `policy_denied ${origin}/no`,
      `policy_denied ${origin}/shut`,
    ])
    expect(seen.filter((path) => path === '/robots.txt')).toHaveLength(1)
    expect(seen).not.toContain('/shut')
  })

  test('refuses a page that was loaded for another use, and is in the cache', async () => {
    answers['/page'] = forbidden
    let use: 'search' | 'ai-train' = 'search'
    const engine = open({ uses: () => [use] })
    const request = { url: `${origin}/page`, maxAge: 600_000 }
    await engine.scrape(request)
    use = 'ai-train'
    await expect(engine.scrape(request)).rejects.toMatchObject(denied(/train-ai=n/))
    expect(seen.filter((path) => path === '/page')).toHaveLength(1)
  })

  test('sends nothing for a cached page with lockdown', async () => {
    const engine = open({ uses: ['ai-train'] })
    await engine.scrape({ url: `${origin}/page`, maxAge: 600_000 })
    seen.splice(0)
    answers['/page'] = forbidden
    await engine.scrape({ url: `${origin}/page`, lockdown: true, formats: ['markdown', 'preferences'] })
    expect(seen).toEqual([])
  })

  test('sends nothing to a host that another policy forbids', async () => {
    const rules = definePolicy({ name: 'nowhere', may: ({ is }) => is !== 'url' || 'Nowhere.' })
    const plugins = [definePlugin({ name: 'rules', policies: [rules] })]
    const engine = createEngine({
      allowPrivate: ['127.0.0.0/8'],
      plugins: [...plugins, sitePreferences({ uses: ['ai-train'] })],
    })
    opened.push(engine)
    await expect(engine.scrape({ url: `${origin}/page` })).rejects.toMatchObject(denied(/Nowhere/))
    expect(seen).toEqual([])
  })

  test('does not apply to a file that is given', async () => {
    const html = new TextEncoder().encode(page('<meta name="robots" content="noai">'))
    expect((await open({ uses: ['ai-train'] }).parse(html, { name: 'a.html' })).markdown).toContain('Some text')
  })

  test('refuses an unknown use', () => {
    expect(() => sitePreferences({ uses: ['training' as never] })).toThrow(/"training" is not a use/)
  })
})
