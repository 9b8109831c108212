import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import type { EngineOptions } from './types.ts'
import { createEngine } from './engine.ts'
import {
  EngineError,
  type EngineEvent,
  type Fetcher,
  type MakeBrowser,
  type MakeFetcher,
  type Tab,
  type WireRequest,
  type WireResponse,
} from '@harvestman/ports'
import { markdown } from '../formats/markdown.ts'
import { defineFormat, definePlugin } from '../plugin/define.ts'
import type { Plugin } from '../plugin/parts.ts'
import { memoryStore } from '@harvestman/embedded'

type Answer = Partial<Omit<WireResponse, 'body'>> & { readonly body?: string | Uint8Array }

const page =
  '<html><head><title>Title</title></head><body><main><h1>Head</h1><p>Some text that is long enough to stay.</p><a href="/next">next</a></main></body></html>'

/** A fetcher of ours that answers from a function, and remembers what it was asked. */
function scripted(answer: (request: WireRequest) => Answer | Promise<Answer>) {
  const asked: WireRequest[] = []
  const fetcher: Fetcher = {
    exchange: async (request, signal) => {
      asked.push(request)
      const stop = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      )
      const { body = page, ...rest } = await Promise.race([answer(request), stop])
      const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
      return { status: 200, headers: [['content-type', 'text/html; charset=utf-8']], ...rest, body: bytes }
    },
    close: async () => undefined,
  }
  return { asked, make: (() => fetcher) satisfies MakeFetcher }
}

function engineWith<const Plugins extends readonly Plugin[] = readonly []>(
  answer: (request: WireRequest) => Answer | Promise<Answer> = () => ({}),
  options: EngineOptions<Plugins> = {},
) {
  const { asked, make } = scripted(answer)
  return { asked, engine: createEngine({ ...options, fetcher: make }) }
}

const url = 'https://example.com/'

async function failure(work: Promise<unknown>): Promise<EngineError> {
  try {
    await work
  } catch (error) {
    if (EngineError.is(error)) return error
    throw error
  }
  throw new Error('did not fail')
}

describe('a URL becomes a document', () => {
  test('with what was asked for, metadata, and nothing else', async () => {
    const { engine } = engineWith()
    const document = await engine.scrape({ url, formats: ['markdown', 'links'] })
    expect(Object.keys(document).toSorted()).toEqual(['links', 'markdown', 'metadata'])
    expect(document.markdown).toContain('# Head')
    expect(document.links).toEqual(['https://example.com/next'])
    expect(document.metadata).toMatchObject({
      title: 'Title',
      sourceURL: url,
      url,
      statusCode: 200,
      contentType: 'text/html; charset=utf-8',
      proxyUsed: 'basic',
      creditsUsed: 1,
    })
    expect(document.metadata.scrapeId).toMatch(/^[0-9a-f-]{36}$/)
    expect(document.metadata).not.toHaveProperty('error')
  })

  test('a bad status is a document that says so', async () => {
    const { engine } = engineWith(() => ({ status: 404 }))
    const { metadata } = await engine.scrape({ url })
    expect(metadata).toMatchObject({ statusCode: 404, error: 'Not Found' })
  })

  test('no formats give metadata alone', async () => {
    const { engine } = engineWith()
    expect(Object.keys(await engine.scrape({ url, formats: [] }))).toEqual(['metadata'])
  })

  test('what the bytes are wins over what the header calls them', async () => {
    const pdf = new TextEncoder().encode('%PDF-1.7 …')
    const { engine } = engineWith(() => ({ body: pdf }))
    expect((await failure(engine.scrape({ url }))).code).toBe('unsupported_file')
    const { markdown } = await engine.scrape({ url, parsePDF: false })
    expect(Buffer.from(markdown, 'base64').equals(pdf)).toBe(true)
  })

  test('JSON becomes one fenced block', async () => {
    const { engine } = engineWith(() => ({ headers: [['content-type', 'application/json']], body: '{"a": 1}' }))
    const { markdown, rawHtml } = await engine.scrape({ url, formats: ['markdown', 'rawHtml'] })
    expect(markdown).toBe('```json\n{"a": 1}\n```')
    expect(rawHtml).toBe('{"a": 1}')
  })
})

describe('a format of a plugin', () => {
  const count = defineFormat({
    type: 'count',
    options: z.object({ of: z.string().default('e') }),
    needs: { markdown },
    derive: ({ markdown }, { options }) => markdown.split(options.of).length - 1,
    credits: () => 2,
  })
  const broken = defineFormat({
    type: 'broken',
    needs: {},
    derive: (): string => {
      throw new Error('inner secret')
    },
  })
  const plugins = [definePlugin({ name: 'counting', formats: [count, broken] })] as const

  test('is derived from the fields it needs, with its own options, type and price', async () => {
    const { engine } = engineWith(() => ({}), { plugins })
    const document = await engine.scrape({ url, formats: [{ type: 'count', of: 'Head' }] })
    const value: number = document.count
    expect(value).toBe(1)
    expect(document.metadata.creditsUsed).toBe(3)
    expect(document).not.toHaveProperty('markdown')
  })

  test('that fails fails by name, and its own words stay inside', async () => {
    const { engine } = engineWith(() => ({}), { plugins })
    const error = await failure(engine.scrape({ url, formats: ['broken'] }))
    expect(error.code).toBe('format_failed')
    expect(error.message).toContain('broken')
    expect(error.message).not.toContain('inner secret')
  })

  test('called markdown replaces ours, for everybody who needs it', async () => {
    const own = defineFormat({ type: 'markdown', needs: {}, derive: () => 'eee' })
    const { engine } = engineWith(() => ({}), {
      plugins: [...plugins, definePlugin({ name: 'own', formats: [own] })] as never,
    })
    expect(await engine.unchecked.scrape({ url, formats: ['markdown', 'count'] })).toMatchObject({
      markdown: 'eee',
      count: 3,
    })
  })
})

describe('a page that is drawn by its scripts', () => {
  const shell = '<html><body><div id="root"></div><script src="/app.js"></script></body></html>'
  const drawn = '<html><body><div id="root"><h1>Drawn</h1><p>By the scripts of the page.</p></div></body></html>'
  const visits: string[] = []
  const browserOf =
    (html: string | Error): MakeBrowser =>
    () => ({
      open: async () =>
        ({
          goto: async (address: URL) => {
            visits.push(address.href)
            if (html instanceof Error) throw html
            return { url: address.href, status: 200, headers: [] }
          },
          url: async () => url,
          html: async () => html,
          close: async () => undefined,
        }) as unknown as Tab,
      close: async () => undefined,
    })

  test('is loaded again in the browser, when there is one', async () => {
    const { engine, asked } = engineWith(() => ({ body: shell }), { browser: browserOf(drawn) })
    const { markdown, warning } = await engine.scrape({ url })
    expect(markdown).toContain('# Drawn')
    expect(warning).toBeUndefined()
    expect([asked.length, visits.length]).toEqual([1, 1])
  })

  test('is kept as it was drawn, and not drawn again for a copy', async () => {
    visits.length = 0
    const { engine } = engineWith(() => ({ body: shell }), {
      browser: browserOf('<div id="root"></div><script>1</script>'),
    })
    await engine.scrape({ url })
    expect((await engine.scrape({ url, maxAge: 60_000 })).metadata.cacheState).toBe('hit')
    expect(visits).toHaveLength(1)
  })

  test('comes with a warning without a browser, and when the browser breaks', async () => {
    const without = await engineWith(() => ({ body: shell })).engine.scrape({ url })
    expect(without.warning).toContain('give this engine one')
    const browser = browserOf(new EngineError('browser_failed', 'It crashed.'))
    const broken = await engineWith(() => ({ body: shell }), { browser }).engine.scrape({ url })
    expect(broken.warning).toContain('It crashed.')
  })

  test('is what it is when its status is bad', async () => {
    visits.length = 0
    const { engine } = engineWith(() => ({ status: 404, body: shell }), { browser: browserOf(drawn) })
    expect((await engine.scrape({ url })).metadata.statusCode).toBe(404)
    expect(visits).toEqual([])
  })
})

describe('time', () => {
  test('ends with the timeout of the request, typed, and nothing is left waiting', async () => {
    const { engine } = engineWith(() => new Promise<Answer>(() => undefined))
    expect(await failure(engine.scrape({ url, timeout: 1_000 }))).toMatchObject({ code: 'timeout' })
  })

  test('ends when the caller cancels', async () => {
    const { engine } = engineWith(() => new Promise<Answer>(() => undefined))
    const cancel = new AbortController()
    const scraping = failure(engine.scrape({ url }, { signal: cancel.signal }))
    cancel.abort()
    expect((await scraping).code).toBe('aborted')
  })

  test('ends for a format that never looks at its signal', async () => {
    const stuck = defineFormat({ type: 'stuck', needs: {}, derive: () => new Promise<string>(() => undefined) })
    const { engine } = engineWith(() => ({}), { plugins: [definePlugin({ name: 'p', formats: [stuck] })] })
    expect((await failure(engine.scrape({ url, formats: ['stuck'], timeout: 1_000 }))).code).toBe('timeout')
  })

  test('ends for all when the engine is closed, and for good', async () => {
    const { engine } = engineWith(() => new Promise<Answer>(() => undefined))
    const scraping = failure(engine.scrape({ url }))
    await engine.close()
    expect((await scraping).code).toBe('closed')
    expect((await failure(engine.scrape({ url }))).code).toBe('closed')
  })
})

describe('the cache', () => {
  test('a thousand equal requests at once make one visit, when a copy may be taken', { tags: ['long'] }, async () => {
    const { engine, asked } = engineWith(async () => ({}))
    const request = { url, maxAge: 60_000 }
    const documents = await Promise.all(Array.from({ length: 1_000 }, () => engine.scrape(request)))
    expect(asked).toHaveLength(1)
    expect(documents.filter(({ metadata }) => metadata.cacheState === 'miss')).toHaveLength(1)
    expect(documents.every(({ markdown }) => markdown.includes('# Head'))).toBe(true)
  })

  test('a thousand without one make a thousand', async () => {
    const { engine, asked } = engineWith()
    await Promise.all(Array.from({ length: 1_000 }, () => engine.scrape({ url, formats: [] })))
    expect(asked).toHaveLength(1_000)
  })

  test('one visit serves any format', async () => {
    const { engine, asked } = engineWith()
    await engine.scrape({ url, formats: ['links'] })
    const document = await engine.scrape({ url, maxAge: 60_000, formats: ['markdown', 'rawHtml'] })
    expect(asked).toHaveLength(1)
    expect(document.metadata.cacheState).toBe('hit')
    expect(document.metadata.cachedAt).toBeDefined()
    expect(document.rawHtml).toBe(page)
  })

  const variants = [
    { location: { country: 'DE' } },
    { blockAds: false },
    { skipTlsVerification: true },
    { proxy: 'auto' },
    { headers: { cookie: 'a=b' } },
  ] as const

  test.each(variants)('a copy made without %j is not given to a request with it', async (variant) => {
    const { engine, asked } = engineWith()
    await engine.scrape({ url, maxAge: 60_000 })
    await engine.scrape({ url, maxAge: 60_000, ...variant })
    expect(asked).toHaveLength(2)
  })

  test('a page that was loaded with headers is given to no other caller', async () => {
    const { engine, asked } = engineWith()
    await engine.scrape({ url, maxAge: 60_000, headers: { cookie: 'secret=1' } })
    await engine.scrape({ url, maxAge: 60_000 })
    expect(asked).toHaveLength(2)
  })

  test('a team never gets the copy of another one', async () => {
    const { engine, asked } = engineWith()
    await engine.scrape({ url, maxAge: 60_000 }, { team: 'one' })
    await engine.scrape({ url, maxAge: 60_000 }, { team: 'two' })
    expect(asked).toHaveLength(2)
  })

  test('an older copy than maxAge is not taken, and minAge takes only an older one', async () => {
    let now = 0
    const clock = { now: () => now, sleep: async () => undefined }
    const { engine, asked } = engineWith(() => ({}), { clock })
    await engine.scrape({ url })
    now = 1_000
    expect((await engine.scrape({ url, maxAge: 1_000 })).metadata.cacheState).toBe('hit')
    expect((await failure(engine.scrape({ url, minAge: 1_001 }))).code).toBe('not_cached')
    now = 1_001
    expect((await engine.scrape({ url, minAge: 1_001 })).metadata.cacheState).toBe('hit')
    expect((await engine.scrape({ url, maxAge: 1_000 })).metadata.cacheState).toBe('miss')
    expect(asked).toHaveLength(2)
  })

  test('who waits for a visit that its caller gave up makes one alone', async () => {
    let visits = 0
    const { engine } = engineWith(() => (++visits === 1 ? new Promise<Answer>(() => undefined) : {}))
    const cancel = new AbortController()
    const first = failure(engine.scrape({ url, maxAge: 60_000 }, { signal: cancel.signal }))
    const second = engine.scrape({ url, maxAge: 60_000 })
    await new Promise((resolve) => setImmediate(resolve))
    cancel.abort()
    expect((await first).code).toBe('aborted')
    expect((await second).markdown).toContain('# Head')
    expect(visits).toBe(2)
  })

  test('a failure is shared by all who waited, and the next request tries again', async () => {
    let visits = 0
    const { engine } = engineWith(async () => {
      visits += 1
      if (visits === 1) throw new EngineError('connection_failed', 'broke')
      return {}
    })
    const errors = await Promise.all(Array.from({ length: 50 }, () => failure(engine.scrape({ url, maxAge: 60_000 }))))
    expect(errors.every(({ code }) => code === 'connection_failed')).toBe(true)
    expect(visits).toBe(1)
    expect((await engine.scrape({ url, maxAge: 60_000 })).markdown).toContain('# Head')
  })
})

describe('what is kept', () => {
  /** A memory store that remembers every key that was written. */
  function watched() {
    const store = memoryStore()
    const written: string[] = []
    const note = <T>(key: string, work: T): T => {
      written.push(key)
      return work
    }
    return {
      written,
      store: {
        ...store,
        set: (...args: Parameters<typeof store.set>) => note(args[0], store.set(...args)),
        update: (...args: Parameters<typeof store.update>) => note(args[0], store.update(...args)),
      },
    }
  }

  test('a document can be read again by its id, by its own team', async () => {
    const { engine } = engineWith()
    const document = await engine.scrape({ url }, { team: 'one', keep: true })
    const { scrapeId } = document.metadata
    expect(await engine.results.find(scrapeId, { team: 'one' })).toEqual(document)
    expect((await failure(engine.results.find(scrapeId, { team: 'two' }))).code).toBe('forbidden')
    expect((await failure(engine.results.find('unknown', { team: 'one' }))).code).toBe('not_found')
  })

  test('zero data retention writes nothing to any store but what the team has used, for a good page and a bad one', async () => {
    const { store, written } = watched()
    let isGood = true
    const { engine } = engineWith(
      () => {
        if (isGood) return {}
        throw new EngineError('connection_failed', 'broke')
      },
      { store },
    )
    const request = { url, zeroDataRetention: true, maxAge: 60_000 } as const
    await engine.scrape(request, { keep: true })
    isGood = false
    await failure(engine.scrape(request, { keep: true }))
    expect(written.filter((key) => key !== 'ledger/default')).toEqual([])
    const account = JSON.stringify(await store.get('ledger/default'))
    expect([account.includes('example'), account.includes('"tasks":{}')]).toEqual([false, true])
    isGood = true
    await engine.scrape({ url }, { keep: true })
    expect(written.length).toBeGreaterThan(0)
  })

  test('a store that cannot keep a page costs the copy and not the document', async () => {
    const { store } = watched()
    const events: EngineEvent[] = []
    const broken = { ...store, set: () => Promise.reject(new EngineError('store_failed', 'full')) }
    const { engine } = engineWith(() => ({}), { store: broken, observer: (event) => events.push(event) })
    expect((await engine.scrape({ url })).markdown).toContain('# Head')
    expect(events.some(({ kind }) => kind === 'warning')).toBe(true)
  })
})

test('the observer is told of the start, the loader, each step and the end, with team and id', async () => {
  const events: EngineEvent[] = []
  const { engine } = engineWith(() => ({}), { observer: (event) => events.push(event) })
  const { metadata } = await engine.scrape({ url }, { team: 'acme' })
  expect(events.map((event) => (event.kind === 'scrape.step' ? event.step : event.kind))).toEqual([
    'scrape.started',
    'loader.tried',
    'load',
    'derive',
    'assemble',
    'settle',
    'scrape.completed',
  ])
  expect(events.every(({ id, team }) => id === metadata.scrapeId && team === 'acme')).toBe(true)
})

test('two engines of one process do not know of each other', async () => {
  const one = engineWith()
  const two = engineWith()
  await one.engine.scrape({ url, maxAge: 60_000 })
  await two.engine.scrape({ url, maxAge: 60_000 })
  expect([one.asked.length, two.asked.length]).toEqual([1, 1])
  await one.engine.close()
  expect((await two.engine.scrape({ url })).markdown).toContain('# Head')
})

test('capabilities say what this installation can do', () => {
  const { engine } = engineWith()
  const { formats, actions, loaders } = engine.capabilities()
  expect(formats).toMatchObject({ markdown: true, screenshot: false, json: true, summary: false, changeTracking: true })
  expect(actions).toEqual([])
  expect(loaders).toEqual(['http'])
})
