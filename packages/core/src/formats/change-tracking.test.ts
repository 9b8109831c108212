import { handClock, memoryStore, scriptedLLM, type Reply } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import type { ChangeTracking } from './change-tracking.ts'
import { createEngine } from '../engine/engine.ts'
import type { EngineOptions } from '../engine/types.ts'
import { EngineError, type Fetcher } from '@harvestman/ports'

const url = 'https://a.test/shop'

interface Served {
  readonly body?: string
  readonly status?: number
}

function bench(options: EngineOptions = {}) {
  const clock = handClock()
  let served: Served = {}
  const fetcher = (): Fetcher => ({
    exchange: async () => ({
      status: served.status ?? 200,
      headers: [['content-type', 'text/html; charset=utf-8']],
      body: new TextEncoder().encode(`<main>${served.body ?? ''}</main>`),
    }),
    close: async () => undefined,
  })
  const engine = createEngine({ clock, fetcher, ...options })
  /** Serves a page, and scrapes it a second later. */
  const look = async (page: Served, format: object = {}, request: object = {}, team = 'a') => {
    served = page
    await clock.pass(1_000)
    const formats = ['markdown', { type: 'changeTracking', ...format }]
    const document = await engine.unchecked.scrape({ url, onlyMainContent: false, formats, ...request }, { team })
    return { ...document, tracked: document['changeTracking'] as ChangeTracking | undefined }
  }
  const statuses = async (pages: readonly Served[], format: object = {}) => {
    const found: (string | undefined)[] = []
    for (const page of pages) found.push((await look(page, format)).tracked?.changeStatus)
    return found
  }
  return { engine, clock, look, statuses }
}

const lamp = { body: '<h1>Shop</h1><p>Lamp: EUR 12</p>' }
const chair = { body: '<h1>Shop</h1><p>Chair: EUR 30</p>' }
const gone = { body: '<p>Not found</p>', status: 404 }

describe('the status of a page', () => {
  test('is the same when its task runs again', async () => {
    let id = 'first'
    const { statuses } = bench({ newId: () => id })
    expect(await statuses([lamp, lamp])).toEqual(['new', 'new'])
    id = 'second'
    expect(await statuses([chair, chair])).toEqual(['changed', 'changed'])
    id = 'third'
    expect(await statuses([chair])).toEqual(['same'])
  })

  test.each<[string, readonly Served[], readonly (string | undefined)[]]>([
    ['never seen, then as it was', [lamp, lamp], ['new', 'same']],
    ['changed, and then as it is now', [lamp, chair, chair], ['new', 'changed', 'same']],
    ['changed and back', [lamp, chair, lamp], ['new', 'changed', 'changed']],
    ['gone, and gone still', [lamp, gone, gone], ['new', 'removed', 'removed']],
    ['gone for ever', [lamp, { status: 410 }], ['new', 'removed']],
    ['never there', [gone], ['removed']],
    ['there again', [lamp, gone, lamp, lamp], ['new', 'removed', 'new', 'same']],
    ['broken for a while', [lamp, { status: 503 }, lamp], ['new', undefined, 'same']],
    ['refused for a while', [lamp, { body: '<p>Are you human?</p>', status: 403 }, lamp], ['new', undefined, 'same']],
  ])('%s', async (_, pages, expected) => {
    expect(await bench().statuses(pages)).toEqual(expected)
  })

  test('a page that was not compared says so', async () => {
    const { warning } = await bench().look({ status: 503 })
    expect(warning).toContain('status 503, so it was not compared')
  })

  test('tells when the page was last looked at, and that it can be seen', async () => {
    const { look, clock } = bench()
    expect((await look(lamp)).tracked).toEqual({ previousScrapeAt: null, changeStatus: 'new', visibility: 'visible' })
    const seen = new Date(clock.now()).toISOString()
    await clock.pass(60_000)
    expect((await look(lamp)).tracked?.previousScrapeAt).toBe(seen)
  })
})

describe('noise is no change', () => {
  test.each([
    ['counters', '<p>Lamp</p><p>12 views</p>', '<p>Lamp</p><p>1,300 views</p>'],
    ['times from now', '<p>Lamp, 3 minutes ago</p>', '<p>Lamp, 2 hours ago</p>'],
    ['builds', '<p>Lamp</p><footer>Build 12</footer>', '<p>Lamp</p><footer>Build 13</footer>'],
    ['stamps of files', '<p>Lamp</p><img src="/a.png?v=1">', '<p>Lamp</p><img src="/a.png?v=2">'],
    ['another order', '<p>Lamp</p><p>Chair</p>', '<p>Chair</p><p>Lamp</p>'],
    ['another markup', '<p>Lamp</p>', '<div><p>  Lamp </p></div>'],
  ])('%s', async (_, one, other) => {
    expect(await bench().statuses([{ body: one }, { body: other }])).toEqual(['new', 'same'])
  })

  test('nor are elements and lines that were named', async () => {
    const page = (ad: string, weather: string): Served => ({
      body: `<p>Lamp</p><aside class="ad"><h3>${ad}</h3><p>Buy ${ad} now</p></aside><p>Weather: ${weather}</p>`,
    })
    const ignore = { ignore: { selectors: ['.ad'], patterns: ['^Weather'] } }
    const pages = [page('Soap', 'sun'), page('Cars', 'rain'), { body: '<p>Lamps</p>' }]
    expect(await bench().statuses(pages, ignore)).toEqual(['new', 'same', 'changed'])
  })
})

describe('modes', () => {
  test('git-diff gives the difference when there is one', async () => {
    const { look } = bench()
    expect((await look(lamp, { modes: ['git-diff'] })).tracked).not.toHaveProperty('diff')
    expect((await look(lamp, { modes: ['git-diff'] })).tracked).not.toHaveProperty('diff')
    const { tracked, metadata } = await look(chair, { modes: ['git-diff'] })
    expect(tracked?.diff?.text).toBe(
      '--- previous\n+++ current\n@@ -1,3 +1,3 @@\n # Shop\n \n-Lamp: EUR 12\n+Chair: EUR 30',
    )
    expect(tracked?.diff?.json.files[0]?.chunks[0]?.changes.at(-1)).toEqual({
      type: 'add',
      add: true,
      ln: 3,
      content: '+Chair: EUR 30',
    })
    expect(metadata.creditsUsed).toBe(1)
  })

  const schema = { type: 'object', properties: { item: { type: 'string' }, shop: { type: 'string' } } }
  const reader: Reply = ({ prompt }) => ({ value: { item: /(Lamp|Chair): EUR/.exec(prompt)?.[1] ?? '', shop: 'Shop' } })

  test('json with a schema gives the fields that differ', async () => {
    const { look } = bench({ llm: scriptedLLM([reader]) })
    await look(lamp, { modes: ['json'], schema })
    const { tracked, metadata } = await look(chair, { modes: ['json', 'git-diff'], schema })
    expect(tracked?.json).toEqual({ item: { previous: 'Lamp', current: 'Chair' } })
    expect(tracked?.diff?.text).toContain('+Chair')
    expect(metadata.creditsUsed).toBe(5)
  })

  test('json without one gives what the model makes of the difference', async () => {
    const value = { price: { previous: 12, current: 30 } }
    const llm = scriptedLLM([{ value }])
    const { look } = bench({ llm })
    await look(lamp, { modes: ['json'] })
    expect((await look(chair, { modes: ['json'], prompt: 'Prices only' })).tracked?.json).toEqual(value)
    expect(llm.questions).toHaveLength(1)
    expect(llm.questions[0]?.prompt).toMatch(/Prices only[\s\S]*-Lamp: EUR 12\n\+Chair: EUR 30/)
  })

  test('json costs no question while nothing changes', async () => {
    const llm = scriptedLLM([{ error: new Error('not to be asked') }])
    const { look } = bench({ llm })
    await look(lamp, { modes: ['json'], schema })
    expect((await look(lamp, { modes: ['json'], schema })).tracked?.changeStatus).toBe('same')
  })

  test('a model that fails is told of, and the rest is there', async () => {
    const { look } = bench({ llm: scriptedLLM([{ error: new EngineError('model_unavailable', 'busy') }]) })
    await look(lamp, { modes: ['json', 'git-diff'], schema })
    const { tracked, warning } = await look(chair, { modes: ['json', 'git-diff'], schema })
    expect(warning).toContain('Structured diff generation failed.')
    expect(tracked).toMatchObject({ changeStatus: 'changed', diff: expect.anything() as object })
    expect(tracked).not.toHaveProperty('json')
  })

  test('json needs a model, git-diff does not', async () => {
    const { look } = bench()
    await expect(look(lamp, { modes: ['json'] })).rejects.toMatchObject({ code: 'not_configured' })
    await expect(look(lamp, { modes: ['git-diff'] })).resolves.toBeDefined()
  })
})

describe('histories', () => {
  test('are each for their team, tag and address', async () => {
    const { look } = bench()
    await look(lamp)
    expect((await look(lamp, { tag: 'daily' })).tracked?.changeStatus).toBe('new')
    expect((await look(lamp, {}, { url: `${url}?page=2` })).tracked?.changeStatus).toBe('new')
    expect((await look(lamp, {}, {}, 'b')).tracked?.changeStatus).toBe('new')
    expect((await look(lamp)).tracked?.changeStatus).toBe('same')
    expect((await look(chair, { tag: 'daily' })).tracked?.changeStatus).toBe('changed')
  })

  test('are listed and compared, any two versions', async () => {
    const { engine, statuses } = bench()
    await statuses([lamp, lamp, chair, gone])
    const { versions } = await engine.changes.history({ url }, { team: 'a' })
    expect(versions.map(({ version, checks, isRemoved }) => [version, checks, isRemoved])).toEqual([
      [3, 1, true],
      [2, 1, false],
      [1, 2, false],
    ])
    const { diff, from, to } = await engine.changes.diff({ url, from: 1, to: 2 }, { team: 'a' })
    expect([from.version, to.version]).toEqual([1, 2])
    expect(diff.text).toContain('-Lamp: EUR 12\n+Chair: EUR 30')
    expect((await engine.changes.diff({ url }, { team: 'a' })).to.version).toBe(3)
    await expect(engine.changes.diff({ url, from: 9 }, { team: 'a' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(engine.changes.diff({ url }, { team: 'b' })).rejects.toMatchObject({ code: 'not_found' })
    expect(await engine.changes.history({ url }, { team: 'b' })).toMatchObject({ versions: [] })
  })

  test('do not begin with zero data retention, and are told of', async () => {
    const { engine, look } = bench()
    const { tracked, warning } = await look(lamp, {}, { zeroDataRetention: true })
    expect(tracked).toBeUndefined()
    expect(warning).toContain('Change tracking is not supported with zero data retention.')
    expect((await engine.changes.history({ url }, { team: 'a' })).versions).toEqual([])
  })

  test('that cannot be read are told of, and the page is there', async () => {
    const store = memoryStore()
    const get = store.get.bind(store)
    store.get = (key) => (key.startsWith('changes/') ? Promise.reject(new Error('disk')) : get(key))
    const { tracked, warning, ...document } = await bench({ store }).look(lamp)
    expect([tracked, (document as { markdown?: string }).markdown]).toEqual([
      undefined,
      expect.stringContaining('Lamp'),
    ])
    expect(warning).toContain('Comparing failed, please try again later.')
  })

  test('are exact when a page is looked at a thousand times at once', { tags: ['long'] }, async () => {
    const { engine } = bench()
    const formats = ['markdown', 'changeTracking']
    const urls = Array.from({ length: 10 }, (_, index) => `https://a.test/${index}`)
    await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => engine.unchecked.scrape({ url: urls[index % 10], formats })),
    )
    for (const one of urls) {
      const { versions } = await engine.changes.history({ url: one })
      expect(versions.map(({ version, checks }) => [version, checks])).toEqual([[1, 100]])
    }
  })
})

test('a page is compared as it is now: a kept copy will not do', async () => {
  const { look } = bench()
  await look(lamp, {}, { maxAge: 3_600_000 })
  expect((await look(chair, {}, { maxAge: 3_600_000 })).tracked?.changeStatus).toBe('changed')
})

test('needs markdown beside it, and patterns that can be used', async () => {
  const { engine } = bench()
  await expect(engine.unchecked.scrape({ url, formats: ['changeTracking'] })).rejects.toThrow(
    'changeTracking needs markdown',
  )
  const format = { type: 'changeTracking', ignore: { patterns: ['(?=a)'] } }
  await expect(engine.unchecked.scrape({ url, formats: ['markdown', format] })).rejects.toThrow('looks ahead or behind')
})
