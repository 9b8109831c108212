// What a team may use holds for whoever asks in its name, with a server before the engine or without one.
import { createEngine, endpointGroups, memoryStore, type EngineOptions, type MapCall } from '@harvestman/core'
import { defineJob, defineLoader, definePlugin } from '@harvestman/core/plugin'
import { hosting } from '@harvestman/hosting'
import { EngineError } from '@harvestman/ports'
import { handClock, scriptedLLM } from '@harvestman/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'

type Engine = ReturnType<typeof engineWith>

const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const engine of closing.splice(0)) await engine.close()
})

const page = new TextEncoder().encode('<main><p>Some text that is long enough to stay.</p></main>')

const deadLinks = definePlugin({
  name: 'dead links',
  jobs: [
    defineJob({
      kind: 'dead_links',
      description: 'Finds the links of a page that lead nowhere.',
      request: z.strictObject({ url: z.url() }),
      answer: z.array(z.string()),
      example: { url: 'https://example.com/' },
      about: 'url',
      price: (_, { page }) => page(),
      run: async () => [],
    }),
  ],
})

function engineWith({ plugins = [], ...options }: EngineOptions = {}) {
  const resolver = async () => [{ address: '93.184.215.14', family: 4 as const }]
  const fetcher = () => ({
    exchange: async () => ({ status: 200, headers: [['content-type', 'text/html'] as const], body: page }),
    close: async () => undefined,
  })
  const engine = createEngine({
    clock: handClock(),
    resolver,
    fetcher,
    llm: scriptedLLM([]),
    plugins: [deadLinks, hosting(), ...plugins],
    ...options,
  })
  closing.push(engine)
  return engine
}

const url = 'https://a.test/'
const team = 'acme'

type Call = MapCall

/** Each door that begins something, with the group that its requests belong to. */
const doors = {
  scrape: ['scrape', (engine: Engine, call: Call) => engine.scrape({ url }, call)],
  parse: ['parse', (engine: Engine, call: Call) => engine.parse(new TextEncoder().encode('<p>Text</p>'), {}, call)],
  map: ['map', (engine: Engine, call: Call) => engine.map({ url }, call)],
  search: ['search', (engine: Engine, call: Call) => engine.search({ query: 'spiders' }, call)],
  crawl: ['crawl', (engine: Engine, call: Call) => engine.crawl({ url }, call)],
  'jobs.planCrawl': ['crawl', (engine: Engine, call: Call) => engine.jobs.planCrawl({ url, prompt: 'all' }, call)],
  batch: ['batch', (engine: Engine, call: Call) => engine.batch({ urls: [url] }, call)],
  start: ['dead-links', (engine: Engine, call: Call) => engine.start(deadLinks.jobs[0], { url }, call)],
  'unchecked.start': [
    'dead-links',
    (engine: Engine, call: Call) => engine.unchecked.start('dead_links', { url }, call),
  ],
} as const

/** Members that hold functions of their own. */
const groups = ['unchecked', 'jobs', 'changes', 'results', 'hosts'] as const

/** What begins nothing: it reads what was begun, or is for the program that has the engine. */
const beginNothing = [
  ...['results.find', 'results.file', 'hosts.find', 'hosts.forget', 'find', 'unchecked.find', 'unchecked.loadingOf'],
  ...['findThread', 'unchecked.findThread'],
  ...[
    'jobs.find',
    'jobs.findCrawl',
    'jobs.running',
    'jobs.list',
    'jobs.count',
    'jobs.countByTeam',
    'jobs.here',
    'jobs.work',
  ],
  ...['changes.history', 'changes.diff', 'changes.list'],
  ...['usage', 'preview', 'admit', 'checkStore', 'capabilities', 'warmUp', 'close'],
]

/** The functions of an engine by name; those that are the same as one before stand once. */
function functionsOf(engine: Engine): string[] {
  const all = [engine, ...groups.map((group) => engine[group])].flatMap((members, at) =>
    Object.entries(members).map(([name, value]): [string, unknown] => [
      at === 0 ? name : `${groups[at - 1]}.${name}`,
      value,
    ]),
  )
  const names = new Map<unknown, string>()
  for (const [name, value] of all) if (typeof value === 'function' && !names.has(value)) names.set(value, name)
  return [...names.values()]
}

const doorNames = Object.keys(doors) as (keyof typeof doors)[]

/** The code of what a door rejects with; nothing when it is let in and done. */
async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => (EngineError.is(error) ? error.code : String(error)),
  )
}

const refused = ['rate_limited', 'scope_missing']

test('Each function of an engine is held to limits here, or begins nothing', () => {
  expect(functionsOf(engineWith()).toSorted()).toEqual([...doorNames, ...beginNothing].toSorted())
})

describe.each(doorNames)('In process, %s', (name) => {
  const [group, ask] = doors[name]

  test('is refused when its team has asked as often as it may in this minute, and others are not', async () => {
    const engine = engineWith()
    await engine.teams.create({ id: team, limits: { requestsPerMinute: { [group]: 1 } } })
    expect(refused).not.toContain(await codeOf(ask(engine, { team })))
    await expect(ask(engine, { team })).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining(`1 requests a minute for ${group}`),
      details: { retryAfter: expect.any(Number), rate: { limit: 1, remaining: 0 } },
    })
    expect(refused).not.toContain(await codeOf(ask(engine, { team: 'other' })))
    expect(refused).not.toContain(await codeOf(ask(engine, {})))
  })

  test('is refused to a key that is not for it, and noted so once', async () => {
    const engine = engineWith()
    await engine.teams.create({ id: team })
    const others = endpointGroups.filter((other) => other !== group)
    const { key } = await engine.teams.createKey(team, { scopes: { groups: others } })
    const known = await engine.teams.verify(key)
    expect(await codeOf(ask(engine, known ?? {}))).toBe('scope_missing')
    const { data } = await engine.activity.list({}, { team })
    expect(data.map(({ refused, key }) => [refused, key])).toEqual([['scope_missing', known?.key]])
    const { key: own } = await engine.teams.createKey(team, { scopes: { groups: [group] } })
    expect(await codeOf(ask(engine, (await engine.teams.verify(own)) ?? {}))).not.toBe('scope_missing')
  })

  test('is not counted again when a server has let it in', async () => {
    const engine = engineWith()
    await engine.teams.create({ id: team, limits: { requestsPerMinute: { [group]: 1 } } })
    const admitted = await engine.admit({ group }, { team })
    expect(admitted.rate).toMatchObject({ isAllowed: true, remaining: 0 })
    expect(await codeOf(ask(engine, { team, admitted }))).not.toBe('rate_limited')
  })
})

describe('In process', () => {
  const formats = ['markdown', 'rawHtml'] as const
  const asking: Readonly<Record<string, (engine: Engine, call: Call) => Promise<unknown>>> = {
    scrape: (engine, call) => engine.scrape({ url, formats }, call),
    parse: (engine, call) => engine.parse(new TextEncoder().encode('<p>Text</p>'), { formats }, call),
    crawl: (engine, call) => engine.crawl({ url, scrapeOptions: { formats } }, call),
    batch: (engine, call) => engine.batch({ urls: [url], formats }, call),
    search: (engine, call) => engine.unchecked.search({ query: 'spiders', scrapeOptions: { formats } }, call),
  }

  test.each(Object.keys(asking))('a %s is refused with a format that its key may not ask for', async (name) => {
    const engine = engineWith()
    const scopes = { formats: ['markdown', 'links'] }
    await expect(asking[name]?.(engine, { team, scopes })).rejects.toMatchObject({
      code: 'scope_missing',
      message: expect.stringContaining('format rawHtml'),
    })
    const wide = { formats: ['markdown', 'rawHtml'] }
    expect(await codeOf(asking[name]?.(engine, { team, scopes: wide }) ?? Promise.resolve())).not.toBe('scope_missing')
  })

  test('a key that is held to formats may ask for what has none', async () => {
    const call = { team, scopes: { formats: ['links'] } }
    expect(await codeOf(engineWith().map({ url }, call))).not.toBe('scope_missing')
    expect(await codeOf(engineWith().unchecked.search({ query: 'spiders' }, call))).not.toBe('scope_missing')
  })

  test('a scrape without formats asks for markdown, and is refused to a key that may not', async () => {
    expect(await codeOf(engineWith().scrape({ url }, { team, scopes: { formats: ['links'] } }))).toBe('scope_missing')
  })

  test('a team has as many pages at once as its record says, and the line that it says', async () => {
    const { promise: mayGo, resolve: go } = Promise.withResolvers<void>()
    let most = 0
    let now = 0
    const load = defineLoader({
      name: 'slow',
      cost: 0,
      load: async () => {
        most = Math.max(most, ++now)
        await mayGo
        now -= 1
        throw new EngineError('connection_failed', 'It is over.')
      },
    })
    const engine = engineWith({ plugins: [definePlugin({ name: 'slow', loaders: [load] })] })
    await engine.teams.create({ id: team, limits: { concurrency: 2, queue: 1 } })
    const codes = [1, 2, 3, 4].map((number) => codeOf(engine.scrape({ url: `${url}${number}` }, { team })))
    expect(await Promise.race(codes)).toBe('rate_limited')
    go()
    expect((await Promise.all(codes)).filter((code) => code === 'rate_limited')).toHaveLength(1)
    expect(most).toBe(2)
  })

  test('a job keeps to the pages at once that the record of its team says', async () => {
    let most = 0
    let now = 0
    const load = defineLoader({
      name: 'counted',
      cost: 0,
      load: async () => {
        most = Math.max(most, ++now)
        await new Promise((done) => setImmediate(done))
        now -= 1
        throw new EngineError('not_found', 'There is no such page.')
      },
    })
    const engine = createEngine({ plugins: [hosting(), definePlugin({ name: 'counted', loaders: [load] })] })
    closing.push(engine)
    await engine.teams.create({ id: team, limits: { concurrency: 1 } })
    const batch = await engine.batch({ urls: [1, 2, 3, 4].map((number) => `https://${number}.test/`) }, { team })
    await batch.end()
    expect(most).toBe(1)
  })

  test('limits that come with a call hold in place of those in the record', async () => {
    const engine = engineWith()
    await engine.teams.create({ id: team, limits: { requestsPerMinute: { scrape: 1 } } })
    const limits = { requestsPerMinute: { scrape: 3 } }
    const ask = () => codeOf(engine.scrape({ url }, { team, limits }))
    expect([await ask(), await ask(), await ask(), await ask()].indexOf('rate_limited')).toBe(3)
  })
})

describe('While the store is away', () => {
  const storeAway = () => {
    let isGone = false
    const kept = memoryStore()
    const through = <Asked extends unknown[], Told>(ask: (...asked: Asked) => Promise<Told>) => {
      const away = new EngineError('store_failed', 'The store is away.')
      return (...asked: Asked): Promise<Told> => (isGone ? Promise.reject(away) : ask(...asked))
    }
    const store = { ...kept, get: through(kept.get), update: through(kept.update), set: through(kept.set) }
    return { store, leave: () => (isGone = true) }
  }

  test('the one team of an engine that was given none goes on, with the limits that were known last', async () => {
    const clock = handClock()
    const { store, leave } = storeAway()
    const engine = engineWith({ store, clock })
    await engine.teams.create({ id: 'default', limits: { browsers: 0 } })
    expect((await engine.admit({ group: 'map' }, { team: 'default' })).limits).toEqual({ browsers: 0 })
    leave()
    await clock.pass(2_000)
    expect((await engine.admit({ group: 'map' }, { team: 'default' })).limits).toEqual({ browsers: 0 })
  })

  test('another is refused: what it may is not known', async () => {
    const { store, leave } = storeAway()
    const engine = engineWith({ store })
    leave()
    expect(await codeOf(engine.admit({ group: 'map' }, { team }))).toBe('store_failed')
  })
})

test('A group of endpoints that an engine does not have is refused by name, for a team and for a key', async () => {
  const engine = engineWith()
  const limits = { requestsPerMinute: { 'dead-link': 1 } }
  const message = /no group of endpoints named dead-link\..*dead-links/s
  await expect(engine.teams.create({ id: team, limits })).rejects.toThrow(message)
  await engine.teams.create({ id: team })
  await expect(engine.teams.setLimits(team, limits)).rejects.toThrow(message)
  await expect(engine.teams.createKey(team, { scopes: { groups: ['dead-link'] } })).rejects.toThrow(message)
})
