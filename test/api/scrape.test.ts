// The rules of scraping over HTTP, by name, in both versions: a real server, a real engine, real pages. Only the browser
// and the language model are fakes.
import { createEngine, EngineError } from '@harvestman/core'
import type { EngineEvent } from '@harvestman/ports'
import { apiKeys, createApi, serve, type Server } from '@harvestman/http'
import { fakeBrowser, goodPages, scriptedLLM, startSite, type Site } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let site: Site
let full: Server
let plain: Server
const closing: (() => Promise<void>)[] = []
/** Codes of the scrapes of the plain server that failed. */
const failures: string[] = []

const allowPrivate = ['127.0.0.0/8']
const key = 'key-one'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

beforeAll(async () => {
  site = await startSite()
  const authenticate = apiKeys(`one:${key},two:key-two`)
  const pages = {
    '/js': '<main><h1>Made by a script</h1></main>',
    '/status/403': { status: 403, html: '<h1>This page has the status 403.</h1>' },
  }
  const browser = fakeBrowser({ pages })
  const llm = scriptedLLM([{ value: { legs: 8 } }])
  const resolver = async (host: string) => {
    throw new EngineError('dns_failed', `The host name "${host}" does not exist. Check its spelling.`)
  }
  const observer = (event: EngineEvent) => void (event.kind === 'scrape.failed' && failures.push(event.code))
  const engines = [
    createEngine({ allowPrivate, resolver, browser, llm }),
    createEngine({ allowPrivate, resolver, observer }),
  ]
  const servers = await Promise.all(engines.map((engine) => serve(createApi(engine, { authenticate }), { port: 0 })))
  ;[full, plain] = servers as [Server, Server]
  closing.push(...[...servers, ...engines, site].map((part) => () => part.close()))
})

afterAll(async () => {
  for (const close of closing) await close()
})

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: {
    readonly success?: boolean
    readonly code?: string
    readonly error?: string
    readonly details?: unknown
    readonly data: Readonly<Record<string, unknown>> & { readonly metadata: Readonly<Record<string, unknown>> }
  }
}

interface Sent {
  readonly method?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function ask(server: Server, path: string, init: Sent = {}, token = key): Promise<Reply> {
  const response = await fetch(server.url + path, { ...init, headers: { ...bearer(token), ...init.headers } })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Reply['body'] }
}

function post(server: Server, path: string, body: unknown, token?: string): Promise<Reply> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return ask(server, path, { method: 'POST', body: text, headers: { 'content-type': 'application/json' } }, token)
}

const article = goodPages.find(({ path }) => path === '/good/article')!
const address = (path = article.path) => site.url + path

describe.each(['v1', 'v2'] as const)('POST /%s/scrape', (version) => {
  const scrape = (body: unknown, server = full, token?: string) => post(server, `/${version}/scrape`, body, token)

  test('gives markdown and metadata when nothing else is asked for', async () => {
    const { status, body } = await scrape({ url: address() })
    expect(status).toBe(200)
    expect(body.success).toBe(true)
    expect(Object.keys(body.data).toSorted()).toEqual(['markdown', 'metadata'])
    expect(body.data['markdown']).toMatch(/but it walks on six[^]*## Losing a leg/)
    expect(body.data.metadata).toMatchObject({
      title: article.title,
      language: 'en',
      description: `About: ${article.title}`,
      sourceURL: address(),
      url: address(),
      statusCode: 200,
      contentType: 'text/html; charset=utf-8',
      scrapeId: expect.stringMatching(/^[\da-f-]{36}$/),
      proxyUsed: 'basic',
      creditsUsed: 1,
    })
    expect(body.data.metadata).not.toHaveProperty('error')
  })

  test('gives every format under its name, and no other', async () => {
    const formats = ['markdown', 'html', 'rawHtml', 'links', 'images']
    const { body } = await scrape({ url: address(), formats })
    expect(Object.keys(body.data).toSorted()).toEqual([...formats, 'metadata'].toSorted())
    expect(body.data['html']).toContain('<strong>feels the way</strong>')
    expect(body.data['html']).not.toContain('<nav')
    expect(body.data['rawHtml']).toBe(article.body)
    expect(body.data['links']).toEqual(article.links.map((path) => address(path)))
    expect(body.data['images']).toEqual([address('/good/picture.png')])
  })

  test('gives attributes of elements', async () => {
    const selectors = [{ selector: 'article img', attribute: 'alt' }]
    const { body } = await scrape({ url: address(), formats: [{ type: 'attributes', selectors }] })
    expect(body.data['attributes']).toEqual([
      { selector: 'article img', attribute: 'alt', values: ['A harvestman on a wall'] },
    ])
  })

  test.each([
    [{ formats: ['screenshot'] }],
    [{ formats: ['screenshot@fullPage'] }],
    [{ formats: [{ type: 'screenshot', fullPage: true, viewport: { width: 800, height: 600 } }] }],
  ])('gives a picture for %j', async (asked) => {
    const { status, body } = await scrape({ url: 'http://127.0.0.1:8000/js', ...asked })
    expect(status).toBe(200)
    const address = String(body.data['screenshot'])
    expect(address.startsWith(`${full.url}/v2/files/`)).toBe(true)
    const picture = await fetch(address)
    expect(picture.headers.get('content-type')).toMatch(/^image\/(?:png|jpeg)$/)
    expect(picture.headers.get('content-security-policy')).toContain('sandbox')
    expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(10)
  })

  test.each([
    [{ formats: ['json'], jsonOptions: { prompt: 'How many legs?' } }],
    [{ formats: [{ type: 'json', prompt: 'How many legs?', schema: { type: 'object' } }] }],
  ])('gives extracted data for %j', async (asked) => {
    const { status, body } = await scrape({ url: address(), ...asked })
    expect(status).toBe(200)
    expect(body.data['json']).toEqual({ legs: 8 })
    expect(body.data.metadata['creditsUsed']).toBe(5)
    const copies = { extract: body.data['extract'], llm_extraction: body.data['llm_extraction'] }
    expect(copies).toEqual(
      version === 'v1' ? { extract: undefined, llm_extraction: { legs: 8 } } : { extract: undefined },
    )
  })

  test('gives what actions brought', async () => {
    const actions = [{ type: 'wait', milliseconds: 1 }, { type: 'screenshot' }, { type: 'scrape' }]
    const { status, body } = await scrape({ url: 'http://127.0.0.1:8000/js', actions })
    expect(status).toBe(200)
    expect(body.data['actions']).toEqual({
      screenshots: [expect.stringMatching(/\/v2\/files\/[\da-f-]{36}$/)],
      scrapes: [{ url: 'http://127.0.0.1:8000/js', html: expect.stringContaining('Made by a script') }],
    })
  })

  test('puts a picture into the answer itself when nothing may be kept', async () => {
    const request = { url: 'http://127.0.0.1:8000/js', formats: ['screenshot'], zeroDataRetention: true }
    expect((await scrape(request)).body.data['screenshot']).toMatch(/^data:image\/\w+;base64,/)
  })

  test('takes an option in the words of either version', async () => {
    const older = await scrape({ url: address('/good/paper.pdf'), parsePDF: false })
    const newer = await scrape({ url: address('/good/paper.pdf'), parsers: [] })
    expect(older.body.data['markdown']).toEqual(newer.body.data['markdown'])
    expect([older.status, newer.status]).toEqual([200, 200])
  })

  test('sends the headers that are asked for, and adds a scheme to the address', async () => {
    const { body } = await scrape({
      url: address('/echo').replace('http://', ''),
      headers: { 'X-Test': 'yes' },
      formats: ['rawHtml'],
    })
    expect(body.data['rawHtml']).toContain('x-test')
    expect(body.data.metadata['sourceURL']).toBe(address('/echo'))
  })

  test.each([404, 500, 403])('gives the content of a page with status %i', async (code) => {
    const { status, body } = await scrape({ url: address(`/status/${code}`) })
    expect(status).toBe(200)
    expect(body.success).toBe(true)
    expect(body.data['markdown']).toContain(`the status ${code}`)
    expect(body.data.metadata).toMatchObject({ statusCode: code, error: expect.any(String) })
  })

  test('follows redirects and says where they led', async () => {
    const { body } = await scrape({ url: address('/redirect/chain/3') })
    expect(body.data.metadata).toMatchObject({ sourceURL: address('/redirect/chain/3'), url: address('/redirect/end') })
  })

  test('takes a kept copy when it is young enough', async () => {
    const url = address(`/changing?of=${version}`)
    const first = await scrape({ url, maxAge: 60_000 })
    const second = await scrape({ url, maxAge: 60_000 })
    expect(first.body.data.metadata['cacheState']).toBe('miss')
    expect(second.body.data.metadata).toMatchObject({ cacheState: 'hit', cachedAt: expect.any(String) })
    expect(second.body.data['markdown']).toBe(first.body.data['markdown'])
    const other = await scrape({ url, maxAge: 60_000 }, full, 'key-two')
    expect(other.body.data.metadata['cacheState']).toBe('miss')
  })

  test.each([
    [
      'a name that nobody has',
      () => 'http://no-such-host.invalid/',
      {},
      200,
      'SCRAPE_DNS_RESOLUTION_ERROR',
      /no-such-host/,
    ],
    ['an address that is not public', () => 'http://10.0.0.1/', {}, 403, 'URL_BLOCKED', /not allowed/],
    ['a page that takes too long', () => address('/slow/silent'), { timeout: 1_000 }, 408, 'SCRAPE_TIMEOUT', /1000 ms/],
    ['a connection that breaks', () => address('/broken/reset'), {}, 500, 'SCRAPE_SITE_ERROR', /\w/],
    ['redirects without end', () => address('/redirect/loop'), {}, 500, 'SCRAPE_SITE_ERROR', /redirect/],
    ['a page that was never kept', () => address('/good/docs'), { minAge: 1 }, 404, 'SCRAPE_NO_CACHED_DATA', /minAge/],
  ])('says so of %s', async (_, url, options, status, code, error) => {
    const reply = await scrape({ url: url(), ...options }, plain)
    expect(reply.status).toBe(status)
    expect(reply.body).toMatchObject({ success: false, code, error: expect.stringMatching(error) })
    expect(reply.body).not.toHaveProperty('data')
  })

  test.each([
    ['actions', { actions: [{ type: 'click', selector: 'a' }] }, 'SCRAPE_ACTIONS_NOT_SUPPORTED'],
    ['screenshot', { formats: ['screenshot'] }, 'NOT_CONFIGURED'],
    ['json', { formats: ['json'], jsonOptions: { prompt: 'a' } }, 'NOT_CONFIGURED'],
    ['summary', { formats: ['summary'] }, 'NOT_CONFIGURED'],
    ['mobile', { mobile: true }, 'NOT_CONFIGURED'],
    ['waitFor', { waitFor: 10 }, 'NOT_CONFIGURED'],
  ])('says that this server lacks what %s needs', async (field, options, code) => {
    const reply = await scrape({ url: address(), ...options }, plain)
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ success: false, code, error: expect.stringContaining(field) })
  })

  test.each([
    [{}, 'url'],
    [{ url: 7 }, 'url'],
    [{ url: '' }, 'url'],
    [{ url: 'ftp://a.test/' }, 'url'],
    [{ url: 'http://http://a.test/' }, 'url'],
    [{ url: 'a.test', formats: 'markdown' }, 'formats'],
    [{ url: 'a.test', formats: ['pictures'] }, 'formats[0]'],
    [{ url: 'a.test', formats: ['markdown', 'knowledgeGraph'] }, 'formats[1]'],
    [{ url: 'a.test', formats: ['links', 'links'] }, 'formats[1]'],
    [{ url: 'a.test', formats: [{ type: 'markdown', size: 1 }] }, 'formats[0].size'],
    [{ url: 'a.test', onlyMainContent: 'yes' }, 'onlyMainContent'],
    [{ url: 'a.test', waitFor: -1 }, 'waitFor'],
    [{ url: 'a.test', waitFor: 20_000 }, 'waitFor'],
    [{ url: 'a.test', timeout: 300_001 }, 'timeout'],
    [{ url: 'a.test', maxAge: 1.5 }, 'maxAge'],
    [{ url: 'a.test', proxy: 'best' }, 'proxy'],
    [{ url: 'a.test', location: { country: 'Atlantis' } }, 'location.country'],
    [{ url: 'a.test', headers: { 'X-A': 'a\r\nb' } }, 'headers'],
    [{ url: 'a.test', headers: { Host: 'b.test' } }, 'headers'],
    [{ url: 'a.test', actions: [{ type: 'jump' }] }, 'actions[0].type'],
    [{ url: 'a.test', actions: [{ type: 'wait' }] }, 'actions[0]'],
    [{ url: 'a.test', fromats: [] }, 'fromats'],
  ])('refuses %j and names %s', async (body, field) => {
    const reply = await scrape(body, plain)
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ success: false, code: 'BAD_REQUEST' })
    expect(reply.body.details).toEqual(
      expect.arrayContaining([
        { code: expect.any(String), path: expect.any(Array), message: expect.stringContaining(field) },
      ]),
    )
  })

  test('refuses what is no JSON', async () => {
    const { status, body } = await scrape('{"url": "a.test"')
    expect(status).toBe(400)
    expect(body).toEqual({ success: false, code: 'BAD_REQUEST_INVALID_JSON', error: 'Bad request, malformed JSON' })
  })

  test('refuses more than ten megabytes', async () => {
    const { status, body } = await scrape({ url: 'a.test', headers: { 'x-large': 'x'.repeat(10_000_000) } })
    expect(status).toBe(413)
    expect(body).toMatchObject({ success: false, code: 'BODY_TOO_LARGE' })
  })

  test('refuses who has no right key', async () => {
    const { status, headers, body } = await scrape({ url: address() }, full, 'key-three')
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe('Bearer')
    expect(body).toEqual({ success: false, code: 'UNAUTHORIZED', error: 'Unauthorized: Invalid token' })
  })
})

test('redactPII replaces personal data in the Markdown, in version 2 only, and in the stored result too', async () => {
  const mail = 'jo.doe@example.com'
  const asked = { url: address('/echo'), headers: { 'X-Contact': `${mail} or +49 30 1234567` } }
  const plainly = await post(full, '/v2/scrape', asked)
  expect(plainly.body.data['markdown']).toContain(mail)
  const { status, body } = await post(full, '/v2/scrape', { ...asked, redactPII: true })
  expect(status).toBe(200)
  expect(body.data['markdown']).toContain('<EMAIL> or <PHONE>')
  expect(body.data['warning']).toMatch(/names of people and places/)
  expect(body.data.metadata['creditsUsed']).toBe(5)
  expect(Object.keys(body.data).toSorted()).toEqual(['markdown', 'metadata', 'warning'])
  const stored = await ask(full, `/v2/scrape/${String(body.data.metadata['scrapeId'])}`)
  expect(stored.body.data).toEqual(body.data)
  expect(JSON.stringify(stored.body)).not.toContain(mail)
  const both = await post(full, '/v2/scrape', {
    ...asked,
    redactPII: { entities: ['EMAIL'] },
    formats: ['markdown', 'rawHtml'],
  })
  expect(both.body.data['markdown']).toContain('<EMAIL> or +49 30 1234567')
  expect(both.body.data['warning']).toMatch(/redactPII changes only the Markdown: rawHtml may contain/)
  const unknown = await post(full, '/v2/scrape', { ...asked, redactPII: { entities: ['PERSON'] } })
  expect([unknown.status, unknown.body.code]).toEqual([400, 'BAD_REQUEST'])
  expect(JSON.stringify(unknown.body.details)).toContain('PERSON cannot be found')
  const older = await post(full, '/v1/scrape', { ...asked, redactPII: true })
  expect([older.status, older.body.code]).toEqual([400, 'NOT_CONFIGURED'])
})

test('threatProtection blocks a host in any spelling, in version 2 only, and says which rule did', async () => {
  const lists = { blacklist: ['0x7f000001'] }
  const blocked = await post(full, '/v2/scrape', { url: address('/echo'), threatProtection: lists })
  expect([blocked.status, blocked.body]).toEqual([
    403,
    {
      success: false,
      code: 'unsafe_domain_blocked',
      error: expect.stringContaining(`${address('/echo')}: "0x7f000001" is in blacklist`) as unknown,
      details: { rule: 'blacklist', entry: '0x7f000001' },
    },
  ])
  for (const threatProtection of [{ ...lists, whitelist: ['127.0.0.1'] }, { ...lists, mode: 'off' }, null])
    expect((await post(full, '/v2/scrape', { url: address('/echo'), threatProtection })).status).toBe(200)
  const options = { threatProtection: lists }
  expect((await post(full, '/v2/map', { url: address('/'), ...options })).status).toBe(403)
  expect((await post(full, '/v2/crawl', { url: address('/'), scrapeOptions: options })).status).toBe(403)
  const urls = [address('/echo'), 'https://a.example/']
  expect((await post(full, '/v2/batch/scrape', { urls, ...options })).status).toBe(403)
  const batch = await post(full, '/v2/batch/scrape', { urls, ...options, ignoreInvalidURLs: true })
  expect([batch.status, batch.body]).toEqual([200, expect.objectContaining({ invalidURLs: [address('/echo')] })])
  const scored = await post(full, '/v2/scrape', { url: address('/echo'), threatProtection: { mode: 'normal' } })
  expect([scored.status, scored.body.code]).toEqual([400, 'BAD_REQUEST'])
  expect(JSON.stringify(scored.body.details)).toContain('needs a classifier')
  const older = await post(full, '/v1/scrape', { url: address('/echo'), threatProtection: lists })
  expect([older.status, older.body.code]).toEqual([400, 'NOT_CONFIGURED'])
})

test('lockdown returns what the cache has, or 404, in version 2 only', async () => {
  const asked = { url: address('/echo?lockdown'), lockdown: true }
  const missed = await post(full, '/v2/scrape', asked)
  expect([missed.status, missed.body.code]).toEqual([404, 'SCRAPE_LOCKDOWN_CACHE_MISS'])
  await post(full, '/v2/scrape', { url: asked.url, maxAge: 60_000 })
  const { status, body } = await post(full, '/v2/scrape', asked)
  expect([status, body.data.metadata]).toEqual([200, expect.objectContaining({ cacheState: 'hit', creditsUsed: 5 })])
  expect((await ask(full, `/v2/scrape/${String(body.data.metadata['scrapeId'])}`)).status).toBe(404)
  const job = await post(full, '/v2/crawl', { url: asked.url, scrapeOptions: { lockdown: true } })
  expect([job.status, JSON.stringify(job.body.details)]).toEqual([400, expect.stringContaining('one page only')])
  const older = await post(full, '/v1/scrape', asked)
  expect([older.status, older.body.code]).toEqual([400, 'NOT_CONFIGURED'])
})

test('rawBase64 is the body of the response, and is requested alone', async () => {
  const url = address('/echo')
  const { status, body } = await post(full, '/v2/scrape', { url, formats: ['rawBase64'] })
  expect([status, Object.keys(body.data).toSorted()]).toEqual([200, ['metadata', 'rawBase64']])
  expect(Buffer.from(String(body.data['rawBase64']), 'base64').toString()).toContain('"url": "/echo"')
  const both = await post(full, '/v2/scrape', { url, formats: ['markdown', 'rawBase64'] })
  expect([both.status, both.body.code]).toEqual([400, 'BAD_REQUEST'])
  expect(JSON.stringify(both.body)).toContain('rawBase64 cannot be combined with other formats')
})

test('video and audio of a page that names none are warnings, not errors', async () => {
  const { status, body } = await post(full, '/v2/scrape', {
    url: address('/echo'),
    formats: ['video', { type: 'audio' }],
  })
  expect([status, Object.keys(body.data).toSorted()]).toEqual([200, ['metadata', 'warning']])
  expect(body.data['warning']).toMatch(/no video in the markup.*no audio file/)
})

describe.each(['v1', 'v2'] as const)('GET /%s/scrape/{id}', (version) => {
  const find = (id: unknown, token?: string) => ask(full, `/${version}/scrape/${String(id)}`, {}, token)

  async function scraped(path: string, server = full): Promise<Reply> {
    return post(server, `/${version}/scrape`, { url: address(path), formats: ['markdown', 'links'] })
  }

  test('gives what the scrape gave', async () => {
    const { body } = await scraped('/good/article')
    const later = await find(body.data.metadata['scrapeId'])
    expect(later.status).toBe(200)
    expect(later.body).toEqual(body)
  })

  test('belongs to the team that asked', async () => {
    const { body } = await scraped('/good/article')
    const foreign = await find(body.data.metadata['scrapeId'], 'key-two')
    expect(foreign.status).toBe(403)
    expect(foreign.body).toMatchObject({ success: false, error: 'You are not allowed to access this resource.' })
  })

  test('knows nothing of a scrape that was not to be kept', async () => {
    const { body } = await post(full, `/${version}/scrape`, { url: address(), zeroDataRetention: true })
    const id = body.data.metadata['scrapeId']
    expect((await find(id)).status).toBe(404)
  })

  test('does not find what nobody asked for', async () => {
    const { status, body } = await find('0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11')
    expect(status).toBe(404)
    expect(body).toEqual({ success: false, code: 'NOT_FOUND', error: 'Job not found.' })
  })

  test('takes nothing but an id', async () => {
    const { status, body } = await find('latest')
    expect(status).toBe(400)
    expect(body).toMatchObject({ success: false, error: 'Invalid job ID format. Job ID must be a valid UUID.' })
  })
})

test('A scrape of version 1 may ask for an extraction in its oldest words', async () => {
  const { body } = await post(full, '/v1/scrape', {
    url: address(),
    formats: ['extract'],
    extract: { schema: { type: 'object' }, systemPrompt: 'Count.' },
  })
  expect(body.data).toMatchObject({ extract: { legs: 8 }, llm_extraction: { legs: 8 } })
  expect(body.data).not.toHaveProperty('json')
  const wrong = await post(full, '/v1/scrape', { url: address(), formats: ['extract'] })
  expect(wrong.status).toBe(400)
  expect(wrong.body.error).toBe(
    "When 'extract' or 'json' format is specified, corresponding options must be provided, and vice versa",
  )
})

test('Clients of the public API are understood as they are', async () => {
  // What the official clients send beside what their users ask for.
  const v2 = { url: address(), origin: 'js-sdk@4.42.0', formats: ['markdown'], integration: '_test' }
  expect((await post(full, '/v2/scrape', v2)).status).toBe(200)
  const v1 = { url: address(), formats: ['markdown'], origin: 'mcp-server', timeout: 30_000 }
  expect((await post(full, '/v1/scrape', v1)).status).toBe(200)
})

test('The server tells its state and describes itself without a key', async () => {
  const bare = async (path: string) => {
    const response = await fetch(full.url + path)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  for (const path of ['/health', '/v0/health/liveness', '/v0/health/readiness']) {
    expect(await bare(path)).toMatchObject({ status: 200, body: { status: 'ok' } })
  }
  const { body } = await bare('/openapi.json')
  expect(Object.keys(body['paths'] as object)).toEqual(
    expect.arrayContaining(['/v1/scrape', '/v1/scrape/{id}', '/v2/scrape', '/v2/scrape/{id}', '/health']),
  )
})

test('The work for a caller who has gone is ended', async () => {
  const before = site.hits('/slow/silent')
  const gone = new AbortController()
  const asking = fetch(`${plain.url}/v2/scrape`, {
    method: 'POST',
    body: JSON.stringify({ url: address('/slow/silent'), timeout: 300_000 }),
    headers: { 'content-type': 'application/json', ...bearer(key) },
    signal: gone.signal,
  }).catch(() => 'gone')
  await expect.poll(() => site.hits('/slow/silent')).toBe(before + 1)
  gone.abort()
  expect(await asking).toBe('gone')
  await expect.poll(() => failures).toContain('aborted')
})
