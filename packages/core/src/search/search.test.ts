import {
  fakeBrowser,
  fakeWeb,
  queryFor,
  scriptedSearch,
  searchContract,
  startSite,
  type Site,
} from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { createEngine } from '../engine/engine.ts'
import type { EngineOptions } from '../engine/types.ts'
import { pageWaitsPort } from '../plugin/core-ports.ts'
import { defineGate, definePlugin } from '../plugin/define.ts'
import type { RequestNote } from '../plugin/gate.ts'
import { providePort } from '../plugin/port.ts'
import { type EngineEvent, type SearchHit, withOperators } from '@harvestman/ports'
import { estimateTokens } from '@harvestman/toolbox/tokens'
import { searchCategories } from './categories.ts'
import { readTime } from './time.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

const allowPrivate = ['127.0.0.0/8', '::1/128']
const open = (options: EngineOptions) => createEngine({ allowPrivate, ...options })
const hits = (count: number): SearchHit[] =>
  Array.from({ length: count }, (_, at) => ({ url: `https://a.example/${at}`, title: `T${at}`, description: `D${at}` }))

for (const { name, run } of searchContract)
  test(`the scripted search: ${name}`, () => run(({ pages }) => scriptedSearch({ web: pages })))

describe('a search', () => {
  test('gives the results of each source that was asked for, and no other source', async () => {
    const news = [{ ...hits(1)[0]!, date: '2026-01-31', imageUrl: 'https://a.example/i.png' }]
    const images = [{ ...hits(1)[0]!, imageUrl: 'https://a.example/i.png', imageWidth: 3, imageHeight: 2 }]
    await using engine = open({ search: scriptedSearch({ web: hits(2), news, images }) })
    expect(await engine.search({ query: 'x', sources: ['web', 'news', { type: 'images' }] })).toEqual({
      id: expect.any(String),
      web: [
        { url: 'https://a.example/0', title: 'T0', description: 'D0', position: 1 },
        { url: 'https://a.example/1', title: 'T1', description: 'D1', position: 2 },
      ],
      news: [
        {
          url: 'https://a.example/0',
          title: 'T0',
          snippet: 'D0',
          position: 1,
          date: '2026-01-31',
          imageUrl: 'https://a.example/i.png',
        },
      ],
      images: [
        {
          url: 'https://a.example/0',
          title: 'T0',
          position: 1,
          imageUrl: 'https://a.example/i.png',
          imageWidth: 3,
          imageHeight: 2,
        },
      ],
      creditsUsed: 2,
    })
    expect(Object.keys(await engine.search({ query: 'x' }))).not.toContain('news')
  })

  test('asks the port in its own words, where a source may have wishes of its own', async () => {
    const search = scriptedSearch({ web: [], news: [] })
    await using engine = open({ search })
    await engine.search(
      {
        query: ' two words ',
        limit: 7,
        sources: ['web', { type: 'news', tbs: 'qdr:w', country: 'de', lang: 'de-AT' }],
        location: 'Berlin',
        tbs: 'cdr:1,cd_min:1/2/2026,cd_max:12/31/2026,sbd:1',
        categories: ['pdf', { type: 'github' }],
        excludeDomains: ['Example.COM'],
        safe: true,
      },
      { team: 'acme' },
    )
    const both = {
      team: 'acme',
      words: 'two words',
      limit: 7,
      location: 'Berlin',
      excludeDomains: ['example.com'],
      safe: true,
    }
    expect(search.queries).toMatchObject([
      { ...both, source: 'web', language: 'en', time: { from: '2026-01-02', to: '2026-12-31' }, newestFirst: true },
      { ...both, source: 'news', language: 'de', country: 'DE', time: { within: 'week' }, newestFirst: false },
    ])
    expect(search.queries[0]!.categories.map(({ name }) => name)).toEqual(['pdf', 'github'])
    expect(search.queries[0]!.country).toBeUndefined()
  })

  test('takes nothing of a hit as it is', async () => {
    const bad = [
      { url: 'javascript:alert(1)', title: 'x' },
      { url: 'data:text/html,x', title: 'x' },
      { url: 'file:///etc/passwd', title: 'x' },
      { url: 'https://user:secret@a.example/', title: 'a'.repeat(5_000), description: 'two\n  lines' },
      { url: 'https://a.example/', title: 'again' },
      { url: 7, title: {} },
      null,
      { url: 'https://b.example/', title: 7, description: null, imageUrl: 'javascript:alert(1)', imageWidth: -1 },
    ] as SearchHit[]
    await using engine = open({ search: scriptedSearch({ web: bad, images: bad }) })
    const { web, images } = await engine.search({ query: 'x', sources: ['web', 'images'] })
    expect(web).toEqual([
      { url: 'https://a.example/', title: 'a'.repeat(1_000), description: 'two lines', position: 1 },
      { url: 'https://b.example/', title: '', description: '', position: 2 },
    ])
    expect(images).toEqual([])
  })

  test('leaves out what the query does not want, whatever the port gives', async () => {
    const found = [
      'https://a.example/x',
      'https://sub.a.example/y.PDF',
      'https://nota.example/',
      'https://b.example/z.pdf',
    ]
    const search = scriptedSearch({ web: found.map((url) => ({ url, title: '' })) })
    await using engine = open({ search })
    const urls = async (more: object) =>
      (await engine.unchecked.search({ query: 'x', ...more })).web?.map(({ url }) => url)
    expect(await urls({ includeDomains: ['a.example'] })).toEqual(found.slice(0, 2))
    expect(await urls({ excludeDomains: ['a.example'] })).toEqual(found.slice(2))
    expect(await urls({ categories: ['pdf'] })).toEqual([found[1], found[3]])
    expect(await urls({ limit: 2 })).toEqual(found.slice(0, 2))
    const { web } = await engine.unchecked.search({ query: 'x', categories: ['pdf'] })
    expect(web?.[0]).toMatchObject({ category: 'pdf', position: 1 })
  })

  test('have a citation only if the search returned a valid one', async () => {
    const valid = { link: 'https://a.example/0#:~:text=lamp', chunk: 'c', start: 0, end: 4, hash: 'h' }
    const citations = [
      valid,
      { ...valid, link: 'javascript:alert(1)' },
      { ...valid, hash: 'x'.repeat(1e6) },
      { ...valid, end: -1 },
      7,
    ]
    // Cast: a search may return anything.
    const web = hits(5).map((hit, at) => ({ ...hit, citation: citations[at] })) as SearchHit[]
    await using engine = open({ search: scriptedSearch({ web }) })
    const { web: found = [] } = await engine.search({ query: 'x' })
    expect(found.map(({ citation }) => citation)).toEqual([valid, undefined, undefined, undefined, undefined])
  })

  test('has at most so many results of a host as requested, and asks the port for more to choose from', async () => {
    const web = [...hits(5), { url: 'https://b.example/', title: 'B' }, { url: 'https://b.example/2', title: 'B' }]
    const search = scriptedSearch({ web })
    await using engine = open({ search })
    const { web: found } = await engine.search({ query: 'x', limit: 3, maxPerHost: 2 })
    expect(found?.map(({ url }) => url)).toEqual(['https://a.example/0', 'https://a.example/1', 'https://b.example/'])
    expect(search.queries[0]?.limit).toBe(9)
  })

  test('costs two credits for each ten results that it began, and what its pages cost', async () => {
    await using engine = open({ search: scriptedSearch({ web: hits(50) }) })
    await engine.ledger.grant({ team: 'acme', credits: 20, id: 'one' })
    const used = async (limit: number, more = {}) =>
      (await engine.search({ query: 'x', limit, ...more }, { team: 'acme' })).creditsUsed
    expect([await used(10), await used(11)]).toEqual([2, 4])
    expect(await engine.usage({ team: 'acme' })).toMatchObject({ credits: 14, held: 0, used: 6 })
    await expect(used(100)).rejects.toMatchObject({ code: 'insufficient_credits' })
    expect(await used(1, { enterprise: ['zdr'] })).toBe(10)
  })

  test('that fails costs nothing, and says how it failed', async () => {
    const events: EngineEvent[] = []
    const search = scriptedSearch({ web: new Error('broken') })
    await using engine = open({ search, observer: (event) => void events.push(event) })
    await engine.ledger.grant({ team: 'acme', credits: 10, id: 'one' })
    await expect(engine.search({ query: 'x' }, { team: 'acme' })).rejects.toMatchObject({ code: 'search_failed' })
    expect(await engine.usage({ team: 'acme' })).toMatchObject({ credits: 10, held: 0, used: 0 })
    expect(events).toMatchObject([{ kind: 'search.failed', code: 'search_failed', team: 'acme' }])
  })

  test('gives what one source found when another fails', async () => {
    await using engine = open({ search: scriptedSearch({ web: hits(1), news: new Error('broken') }) })
    const { web, news, warning } = await engine.search({ query: 'x', sources: ['web', 'news'] })
    expect([web?.length, news]).toEqual([1, []])
    expect(warning).toContain('The source news failed.')
  })

  test('ends when its time is up, and when the caller goes away', async () => {
    await using engine = open({ search: scriptedSearch({ web: 'silence' }) })
    await expect(engine.search({ query: 'x', timeout: 20 })).rejects.toMatchObject({ code: 'search_timeout' })
    const stop = new AbortController()
    const searching = engine.search({ query: 'x' }, { signal: stop.signal })
    stop.abort()
    await expect(searching).rejects.toMatchObject({ code: 'aborted' })
  })

  test('without a search names what to give', async () => {
    await using engine = open({})
    await expect(engine.search({ query: 'x' })).rejects.toMatchObject({
      code: 'not_configured',
      details: { port: 'search' },
      message: expect.stringContaining('needs a search provider. Pass createEngine({ search })'),
    })
  })

  test('is told to gates with its words, unless nothing of it may be kept', async () => {
    const heard: RequestNote[] = []
    const notes = defineGate({ name: 'notes', open: () => ({ noted: (note) => void heard.push(note) }) })
    const plugins = [definePlugin({ name: 'notes', gates: [notes] })]
    await using engine = open({ search: scriptedSearch({ web: [] }), plugins })
    await engine.search({ query: 'kept words' }, { team: 'acme', key: 'k', apiVersion: 'v2' })
    await engine.search({ query: 'private words', enterprise: ['zdr'] }, { team: 'acme' })
    await expect(engine.unchecked.search({ query: 'x', limit: 0 }, { team: 'acme' })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    expect(heard).toMatchObject([
      { endpoint: 'search', target: 'kept words', key: 'k', apiVersion: 'v2' },
      { endpoint: 'search', target: 'x', refused: 'invalid_request' },
    ])
  })

  test('says what had no effect', async () => {
    await using engine = open({ search: scriptedSearch({ web: [] }, { name: 'the shelf', follows: [] }) })
    const { warning } = await engine.search({ query: 'x', country: 'de', tbs: 'qdr:d,zz:1', sources: ['web', 'news'] })
    expect(warning).toBe(
      'tbs: zz:1 is not known and has no effect. The option country has no effect on the shelf. The option tbs has no effect on the shelf. The search backend the shelf has no source news.',
    )
    expect((await engine.search({ query: 'x', lang: 'en', country: 'us' })).warning).toBeUndefined()
  })
})

test('a catalogue of the vendor beside the web is let be, and alone is told of', async () => {
  await using engine = open({ search: scriptedSearch({ web: hits(1) }) })
  const both = await engine.unchecked.search({ query: 'x', sources: ['web', 'alexandria'] })
  expect([both.web?.length, both.warning]).toEqual([1, undefined])
  const alone = await engine.unchecked.search({ query: 'x', sources: [{ type: 'alexandria' }] })
  expect(Object.keys(alone).toSorted()).toEqual(['creditsUsed', 'id', 'warning'])
})

describe('the pages of a search', () => {
  const found = () => [
    { url: `${site.url}/`, title: 'Its title', description: 'Its words' },
    { url: 'http://127.0.0.1:1/', title: 'Gone' },
  ]

  test('are scraped when formats are asked for; one that fails stays as it was found', async () => {
    await using engine = open({ search: scriptedSearch({ web: found(), news: found().slice(0, 1) }) })
    const asked = site.seen.length
    const { web, news, creditsUsed, warning } = await engine.search({
      query: 'x',
      sources: ['web', 'news'],
      scrapeOptions: { formats: ['markdown', 'links'] },
    })
    expect(web?.[0]).toMatchObject({
      title: 'Its title',
      description: 'Its words',
      markdown: expect.stringContaining('#'),
      links: expect.any(Array),
      metadata: { statusCode: 200, sourceURL: `${site.url}/` },
    })
    expect(web?.[1]).toEqual({ url: 'http://127.0.0.1:1/', title: 'Gone', description: '', position: 2 })
    expect(news?.[0]?.markdown).toBe(web?.[0]?.markdown)
    expect(creditsUsed).toBe(3)
    expect(warning).toContain('1 of 2 pages could not be scraped. http://127.0.0.1:1/:')
    expect(site.seen.length - asked).toBe(1)
  })

  test('are not visited without formats', async () => {
    await using engine = open({ search: scriptedSearch({ web: found() }) })
    const asked = site.seen.length
    const { web } = await engine.search({ query: 'x', scrapeOptions: { onlyMainContent: false } })
    expect([Object.keys(web![0]!), site.seen.length]).toEqual([['url', 'title', 'description', 'position'], asked])
  })

  test('that may not be visited are left out on request', async () => {
    const search = scriptedSearch({ web: [{ url: 'http://127.0.0.1:9/', title: 'Private' }] })
    await using engine = createEngine({ search })
    const page = { query: 'x', scrapeOptions: { formats: ['markdown'] } } as const
    expect((await engine.search(page)).web).toHaveLength(1)
    expect((await engine.search({ ...page, ignoreInvalidURLs: true })).web).toEqual([])
  })

  test('with the same Markdown as a better result are removed on request', async () => {
    const web = ['/', '/?copy', '/plain/unicode'].map((path) => ({ url: site.url + path, title: path }))
    await using engine = open({ search: scriptedSearch({ web }) })
    const request = { query: 'x', scrapeOptions: { formats: ['markdown'] } } as const
    expect((await engine.search(request)).web).toHaveLength(3)
    const { web: found, warning } = await engine.search({ ...request, removeDuplicates: true })
    expect(found?.map(({ title }) => title)).toEqual(['/', '/plain/unicode'])
    expect(warning).toContain('same content as a better result: 1.')
  })

  test('that are short or errors are no duplicates, although many hosts have the same', async () => {
    const blocked = '<title>Denied</title><main><p>Access denied. Enable cookies.</p></main>'
    const { fetcher } = fakeWeb({ 'https://a.example/': blocked, 'https://b.example/': blocked })
    await using engine = createEngine({
      search: scriptedSearch({ web: ['https://a.example/', 'https://b.example/'].map((url) => ({ url, title: url })) }),
      fetcher: () => fetcher,
    })
    const request = { query: 'x', scrapeOptions: { formats: ['markdown'] }, removeDuplicates: true } as const
    expect((await engine.search(request)).web).toHaveLength(2)
  })

  test('fit into one token budget with the parts that match the query best, and the others are listed', async () => {
    const body = (topic: string): string =>
      `<title>${topic}</title><main><h1>${topic}</h1>${Array.from(
        { length: 20 },
        (_, part) => `<h2>Part ${part}</h2><p>${`This part ${part} is about ${topic}. `.repeat(30)}</p>`,
      ).join('')}<h2>Last</h2><p>${`The ${topic} has a violet handle. `.repeat(20)}</p></main>`
    const bodies = { 'https://a.example/': body('lamp'), 'https://b.example/': body('chair') }
    const { fetcher } = fakeWeb(bodies)
    await using engine = createEngine({
      search: scriptedSearch({ web: Object.keys(bodies).map((url) => ({ url, title: url })) }),
      fetcher: () => fetcher,
    })
    const request = { query: 'violet handle of a lamp', scrapeOptions: { formats: ['markdown'] } } as const
    const whole = (await engine.search(request)).web ?? []
    const { web = [] } = await engine.search({ ...request, maxTokens: 600 })
    const text = web.map(({ markdown }) => markdown).join('\n')
    expect(text).toContain('The lamp has a violet handle.')
    expect(estimateTokens(text)).toBeLessThanOrEqual(600)
    for (const [index, { markdown = '', omitted = [] }] of web.entries()) {
      const all = whole[index]?.markdown ?? ''
      const listed = omitted.map(({ start, end }) => all.slice(start, end)).join('')
      expect((listed + markdown).replaceAll(/\s/g, '')).toHaveLength(all.replaceAll(/\s/g, '').length)
    }
  })

  test('have one budget: that of the search, or that of the format', async () => {
    await using engine = open({ search: scriptedSearch({ web: found() }) })
    const scrapeOptions = { formats: [{ type: 'markdown', maxTokens: 200 }] } as const
    await expect(engine.search({ query: 'x', maxTokens: 400, scrapeOptions })).rejects.toThrow('Remove one of them')
  })

  test('count once for each result in the token budget', async () => {
    const url = 'https://a.example/'
    const parts = Array.from({ length: 20 }, (_, part) => `<h2>Part ${part}</h2><p>${'About lamps. '.repeat(100)}</p>`)
    const { fetcher } = fakeWeb({ [url]: `<title>x</title><main><h1>Lamps</h1>${parts.join('')}</main>` })
    const results = [{ url, title: 'x' }]
    await using engine = createEngine({
      search: scriptedSearch({ web: results, news: results }),
      fetcher: () => fetcher,
    })
    const { web = [], news = [] } = await engine.search({
      ...{ query: 'lamps', sources: ['web', 'news'], maxTokens: 1_500 },
      scrapeOptions: { formats: ['markdown'] },
    })
    const text = [...web, ...news].map(({ markdown }) => markdown).join('\n')
    expect(web[0]?.markdown).not.toBe('')
    expect(estimateTokens(text)).toBeLessThanOrEqual(1_500)
  })

  test('without Markdown make a budget have no effect, with a warning', async () => {
    await using engine = open({ search: scriptedSearch({ web: found() }) })
    const { warning } = await engine.search({ query: 'x', maxTokens: 100, scrapeOptions: { formats: ['links'] } })
    expect(warning).toContain('had no effect')
  })

  test('that take longer than the search leave what was found', async () => {
    await using engine = open({ search: scriptedSearch({ web: [{ url: `${site.url}/slow/silent`, title: 'Slow' }] }) })
    const { web, warning } = await engine.search({
      query: 'x',
      timeout: 2_000,
      scrapeOptions: { formats: ['markdown'], timeout: 60_000 },
    })
    expect(web).toMatchObject([{ title: 'Slow' }])
    expect(warning).toContain('1 of 1 pages could not be scraped.')
  })
})

describe('pages that are scraped later', () => {
  test('are found under the ids that the search gave, failures too', async () => {
    const found = [`${site.url}/`, 'http://127.0.0.1:1/'].map((url) => ({ url, title: 'T' }))
    await using engine = open({ search: scriptedSearch({ web: found, news: found.slice(0, 1) }) })
    const request = {
      query: 'x',
      sources: ['web', 'news'],
      asyncScraping: true,
      scrapeOptions: { formats: ['markdown'] },
    }
    const { web, scrapeIds, creditsUsed } = await engine.unchecked.search(request, { team: 'acme' })
    const [good = '', bad = ''] = scrapeIds?.web ?? []
    expect([web?.[0]?.['markdown'], creditsUsed, scrapeIds?.news]).toEqual([undefined, 2, [good]])
    await expect
      .poll(() => engine.results.find(good, { team: 'acme' }).catch(() => undefined))
      .toMatchObject({ markdown: expect.any(String), metadata: { scrapeId: good } })
    await expect
      .poll(() => engine.results.find(bad, { team: 'acme' }).catch((error: { code: string }) => error.code))
      .not.toBe('not_found')
    await expect(engine.results.find(good, { team: 'other' })).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('are left out with a warning when they cannot be paid for, and what was found is given', async () => {
    await using engine = open({ search: scriptedSearch({ web: [{ url: `${site.url}/`, title: 'T' }] }) })
    await engine.ledger.grant({ team: 'poor', credits: 2, id: 'one' })
    const request = { query: 'x', asyncScraping: true, scrapeOptions: { formats: ['markdown'] } }
    const { web, scrapeIds, warning } = await engine.unchecked.search(request, { team: 'poor' })
    expect([web?.length, scrapeIds]).toEqual([1, undefined])
    expect(warning).toContain('The pages are not scraped.')
    expect(await engine.usage({ team: 'poor' })).toMatchObject({ credits: 0, used: 2, held: 0 })
  })

  test('may wait for a person, and others of a search may not', async () => {
    const waits = { before: async () => undefined, after: async () => undefined }
    const ports = [providePort(pageWaitsPort, waits)]
    await using engine = open({ search: scriptedSearch({ web: [] }), browser: fakeBrowser({ pages: {} }), ports })
    const scrapeOptions = { formats: ['markdown'], profile: { name: 'mine' }, person: { timeout: 60 } }
    await expect(engine.unchecked.search({ query: 'x', scrapeOptions })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('Use asyncScraping, or scrape the results.'),
    })
    expect(await engine.unchecked.search({ query: 'x', asyncScraping: true, scrapeOptions })).toMatchObject({ web: [] })
  })

  test('are refused where nothing is kept', async () => {
    await using engine = open({ search: scriptedSearch({ web: [] }) })
    const later = { query: 'x', asyncScraping: true }
    for (const more of [{ enterprise: ['zdr'] }, { scrapeOptions: { zeroDataRetention: true } }])
      await expect(engine.unchecked.search({ ...later, ...more })).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

test('a backend that searches less than the web says so in a response without results, which costs nothing', async () => {
  const onlyIn = 'Searched only the pages of this server. Set SEARXNG_ENDPOINT to search the web.'
  const web = [{ url: 'https://a.test/', title: 'A' }]
  const search = (hits: typeof web) => ({ ...scriptedSearch({ web: hits }), onlyIn })
  await using empty = open({ search: search([]) })
  expect(await empty.search({ query: 'x' })).toMatchObject({ web: [], warning: onlyIn, creditsUsed: 0 })
  await using full = open({ search: search(web) })
  const found = await full.search({ query: 'x' })
  expect(found.creditsUsed).toBe(2)
  expect(found).not.toHaveProperty('warning')
})

test('a preview says what a search costs at most', async () => {
  await using engine = open({})
  expect(engine.preview('search', { query: 'x', limit: 11 })).toMatchObject({ min: 2, max: 4 })
  const withPages = { query: 'x', limit: 5, scrapeOptions: { formats: ['markdown'] } }
  expect(engine.preview('search', withPages)).toMatchObject({ min: 2, max: 7 })
})

test('requests that cannot be meant are refused with the field', async () => {
  await using engine = open({ search: scriptedSearch({ web: [] }) })
  const refusal = async (more: object) =>
    engine.unchecked.search({ query: 'x', ...more }).then(
      () => 'taken',
      (error: Error) => error.message,
    )
  expect(await refusal({ includeDomains: ['a.example'], excludeDomains: ['b.example'] })).toContain('excludeDomains')
  expect(await refusal({ includeDomains: ['https://a.example/x'] })).toContain('includeDomains')
  expect(await refusal({ categories: ['developer', 'pdf'] })).toContain('categories')
  expect(await refusal({ sources: ['web', { type: 'web' }] })).toContain('sources')
  expect(await refusal({ query: 'x'.repeat(501) })).toContain('query')
  expect(await refusal({ nonsense: 1 })).toContain('nonsense')
  expect(await refusal({ limit: 101 })).toContain('limit')
})

test('what a web search is asked for stands in its operators', () => {
  const { github, pdf } = searchCategories
  const asked = queryFor({ words: 'a b', includeDomains: ['x.example', 'y.example'], categories: [github!, pdf!] })
  expect(withOperators(asked)).toBe('a b (site:x.example OR site:y.example) (site:github.com OR filetype:pdf)')
  expect(withOperators(queryFor({ words: 'a', excludeDomains: ['x.example'] }))).toBe('a -site:x.example')
})

test('times are read as clients write them', () => {
  expect(readTime('qdr:m,sbd:1')).toEqual({ time: { within: 'month' }, newestFirst: true, unknown: [] })
  expect(readTime('cdr:1,cd_max:2/28/2026')).toEqual({ time: { to: '2026-02-28' }, newestFirst: false, unknown: [] })
  expect(readTime('')).toEqual({ newestFirst: false, unknown: [] })
  expect(readTime('qdr:x')).toMatchObject({ unknown: ['qdr:x'] })
  expect(readTime('cd_min:13/45/2026')).toMatchObject({ unknown: ['cd_min:13/45/2026'] })
  expect(readTime('cd_min:2/31/2026')).toEqual({ newestFirst: false, unknown: ['cd_min:2/31/2026'] })
  expect(readTime('cd_min:2/29/2028').time).toEqual({ from: '2028-02-29' })
})
