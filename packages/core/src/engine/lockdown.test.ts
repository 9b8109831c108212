// The option lockdown: a scrape that sends nothing to any host.
import { fakeBrowser, movedClock, scriptedSearch } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { defineGate, definePlugin } from '../plugin/define.ts'
import type { RequestNote } from '../plugin/gate.ts'
import { createEngine } from './engine.ts'
import type { EngineOptions } from './types.ts'

const url = 'https://a.test/'
const text = '<title>T</title><main><p>Some text that is long enough to stay.</p></main>'
const shell = '<title>App</title><div id="root"></div><script src="/app.js"></script>'
const miss = { code: 'lockdown_miss', message: expect.stringContaining('no cached copy') as unknown }
const lockdown = true

function bench({ plugins = [], ...options }: EngineOptions = {}) {
  const sent: string[] = []
  const notes: RequestNote[] = []
  const gates = [defineGate({ name: 'notes', open: () => ({ noted: (note) => void notes.push(note) }) })]
  const engine = createEngine({
    resolver: async (host) => {
      sent.push(host)
      return [{ address: '93.184.215.14', family: 4 }]
    },
    ...options,
    plugins: [definePlugin({ name: 'notes', gates }), ...plugins],
    fetcher: () => ({
      exchange: async ({ url: { href, pathname } }) => {
        sent.push(href)
        const body = new TextEncoder().encode(pathname === '/app' ? shell : text)
        const status = pathname === '/robots.txt' ? 404 : 200
        return { status, headers: [['content-type', 'text/html; charset=utf-8']], body }
      },
      close: async () => undefined,
    }),
  })
  return { engine, sent, notes }
}

describe('With lockdown', () => {
  test('a cached page is returned for 5 credits, and nothing is sent or stored', async () => {
    const { engine, sent, notes } = bench({ robots: 'always' })
    await using _ = engine
    await engine.scrape({ url, maxAge: 60_000 })
    sent.splice(0)
    notes.splice(0)
    const document = await engine.scrape({ url, lockdown, formats: ['markdown', 'links'] }, { keep: true })
    expect(document.markdown).toContain('Some text')
    expect(document.metadata).toMatchObject({ cacheState: 'hit', creditsUsed: 5 })
    await expect(engine.results.find(document.metadata.scrapeId)).rejects.toMatchObject({ code: 'not_found' })
    expect([sent, notes]).toEqual([[], []])
    expect(engine.preview('scrape', { url, lockdown })).toMatchObject({ min: 5, max: 5 })
  })

  test.each([
    ['that was never loaded', { url: 'https://other.test/' }],
    ['with headers of the caller', { url, headers: { 'x-user': '7' } }],
    ['with actions', { url, actions: [{ type: 'click', selector: 'a' } as const] }],
    ['with a screenshot', { url, formats: ['screenshot' as const] }],
    ['of which only the body is wanted', { url, formats: ['rawBase64' as const] }],
    ['that is older than maxAge', { url, maxAge: 1 }],
  ])('a page %s is a miss for 1 credit, and nothing is sent', async (_, request) => {
    const clock = movedClock()
    const { engine, sent, notes } = bench({ robots: 'always', browser: fakeBrowser({ pages: {} }), clock })
    await using _engine = engine
    await engine.scrape({ url, maxAge: 60_000 })
    clock.moveOn(1_000)
    sent.splice(0)
    notes.splice(0)
    const { used } = await engine.usage()
    await expect(engine.unchecked.scrape({ ...request, lockdown })).rejects.toMatchObject(miss)
    expect([sent, notes]).toEqual([[], []])
    expect((await engine.usage()).used - used).toBe(1)
  })

  test('a copy may be older than the default maxAge of the engine', async () => {
    const clock = movedClock()
    const { engine } = bench({ defaults: { maxAge: 1_000 }, keep: { pages: 10 * 24 * 3_600_000 }, clock })
    await using _ = engine
    await engine.scrape({ url })
    clock.moveOn(5 * 24 * 3_600_000)
    expect((await engine.scrape({ url, lockdown })).metadata.cacheState).toBe('hit')
  })

  test('a page that needs scripts is returned as cached, with a warning, and no browser opens it', async () => {
    const { engine, sent } = bench()
    const opened: string[] = []
    const browser = (guard: Parameters<ReturnType<typeof fakeBrowser>>[0]) => ({
      ...fakeBrowser({ pages: {} })(guard),
      open: async () => {
        opened.push('tab')
        throw new Error('It was opened.')
      },
    })
    await using _ = engine
    await engine.scrape({ url: `${url}app`, maxAge: 60_000 })
    await using other = bench({ browser }).engine
    expect(await other.scrape({ url: `${url}app`, maxAge: 60_000, formats: ['links'] })).toHaveProperty('warning')
    opened.splice(0)
    sent.splice(0)
    for (const more of [{ lockdown }, { minAge: 0 }]) {
      const { warning } = await other.scrape({ url: `${url}app`, formats: ['links'], ...more })
      expect(warning).toContain('Only the cached copy was requested.')
    }
    expect([opened, sent]).toEqual([[], []])
  })

  test('only one page can be scraped', async () => {
    const { engine } = bench({ search: scriptedSearch({ web: [] }) })
    await using _ = engine
    const refused = { code: 'invalid_request', message: expect.stringContaining('one page only') as unknown }
    await expect(engine.batch({ urls: [url], lockdown })).rejects.toMatchObject(refused)
    await expect(engine.crawl({ url, scrapeOptions: { lockdown } })).rejects.toMatchObject(refused)
    await expect(engine.search({ query: 'x', scrapeOptions: { lockdown } })).rejects.toMatchObject(refused)
    const file = engine.parse(new TextEncoder().encode('a'), { name: 'a.txt', lockdown } as never)
    await expect(file).rejects.toMatchObject({ code: 'not_for_files' })
  })
})

test('minAge with headers of the caller finds no copy, and loads nothing either', async () => {
  const { engine, sent } = bench()
  await using _ = engine
  const request = { url, minAge: 0, headers: { 'x-user': '7' } }
  await expect(engine.scrape(request)).rejects.toMatchObject({ code: 'not_cached' })
  expect(sent).toEqual([])
})
