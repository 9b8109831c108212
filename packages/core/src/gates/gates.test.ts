import { createEngine, EngineError, type RateVerdict } from '@harvestman/core'
import { defineGate, definePlugin, type OpenGate, type RequestNote } from '@harvestman/core/plugin'
import type { EngineEvent, Observer } from '@harvestman/ports'
import { expect, test, vi } from 'vitest'

const url = 'https://a.test/'
const left = (remaining: number): RateVerdict => ({ isAllowed: true, limit: 10, remaining, resetsIn: 1_000 })

const engineOf = (...gates: readonly OpenGate[]) => observedEngine(undefined, ...gates)

function observedEngine(observer: Observer | undefined, ...gates: readonly OpenGate[]) {
  const fetcher = () => ({ exchange: async () => ({ status: 404, headers: [], body: new Uint8Array() }), close })
  const close = async (): Promise<void> => undefined
  const resolver = async () => [{ address: '93.184.215.14', family: 4 as const }]
  const parts = gates.map((gate, number) => defineGate({ name: `gate ${number}`, open: () => gate }))
  return createEngine({ resolver, fetcher, observer, plugins: [definePlugin({ name: 'gates', gates: parts })] })
}

test('All gates must let a request in; what one refuses is not counted by those behind it', async () => {
  const asked: string[] = []
  const shut = new EngineError('forbidden', 'Not at night.')
  await using engine = engineOf(
    { admit: async ({ group }, { team }) => (asked.push(`${group} of ${team}`), {}) },
    { admit: async () => Promise.reject(shut) },
    { admit: async () => (asked.push('never'), {}) },
  )
  await expect(engine.scrape({ url }, { team: 'acme' })).rejects.toBe(shut)
  await expect(engine.crawl({ url })).rejects.toBe(shut)
  expect(asked).toEqual(['scrape of acme', 'crawl of default'])
})

test('A request may use the least of what its gates and its call say, and is told the rate that ends first', async () => {
  await using engine = engineOf(
    { admit: async () => ({ limits: { concurrency: 5, queue: 3 }, rate: left(7) }) },
    { admit: async () => ({ limits: { concurrency: 9, queue: 1 }, rate: left(2) }) },
  )
  const call = { limits: { concurrency: 8, browsers: 4 }, ownLimits: { browsers: 2 } }
  expect(await engine.admit({ group: 'scrape' }, call)).toEqual({
    limits: { concurrency: 5, queue: 1, browsers: 2 },
    rate: left(2),
  })
})

test('A gate hears once of each request: that it has begun, or why not', async () => {
  const heard: RequestNote[] = []
  await using engine = engineOf({ noted: (note) => void heard.push(note) })
  await engine.scrape({ url: 'https://me:secret@a.test/' }, { team: 'acme', key: 'k', apiVersion: 'v2' })
  await expect(engine.unchecked.map({ url: 'nothing' })).rejects.toThrow()
  await engine.scrape({ url, zeroDataRetention: true })
  const id = expect.any(String) as string
  expect(heard).toEqual([
    { id, team: 'acme', endpoint: 'scrape', target: url, key: 'k', apiVersion: 'v2' },
    { id, team: 'default', endpoint: 'map', target: 'nothing', refused: 'invalid_request' },
  ])
})

test('A server that asks before it reads a body has a refusal noted, and what was let in is not asked about again', async () => {
  const heard: RequestNote[] = []
  let asked = 0
  await using engine = engineOf({ admit: async () => ((asked += 1), {}), noted: (note) => void heard.push(note) })
  const scopes = { groups: ['map'] }
  await expect(engine.admit({ group: 'scrape', endpoint: 'scrape' }, { scopes })).rejects.toThrow(/group scrape/)
  await expect(engine.admit({ group: 'scrape' }, { scopes })).rejects.toThrow(/group scrape/)
  expect(heard.map(({ endpoint, refused }) => [endpoint, refused])).toEqual([['scrape', 'scope_missing']])
  const admitted = await engine.admit({ group: 'scrape' }, {})
  await engine.scrape({ url }, { admitted })
  expect(asked).toBe(1)
})

test('A gate hears what the observer is told: what a page cost, and what a job did in all', async () => {
  const heard: EngineEvent[] = []
  const observed: EngineEvent[] = []
  const told: Observer = (event) => void heard.push(event)
  await using engine = observedEngine((event) => void observed.push(event), { onEvent: told })
  await engine.scrape({ url }, { team: 'acme' })
  const job = await engine.batch({ urls: [url, url] }, { team: 'acme' })
  await vi.waitFor(() => expect(heard.map(({ kind }) => kind)).toContain('job.ended'), 60_000)
  const ended = heard.find(({ kind }) => kind === 'job.ended')
  expect(ended).toMatchObject({ team: 'acme', id: job.id, status: 'completed', credits: 2 })
  expect(heard.filter(({ kind }) => kind === 'scrape.completed')).toHaveLength(3)
  expect(heard).toEqual(observed)
})

test('A request that a server let in at one door is held to its scopes at every other', async () => {
  await using engine = engineOf({ admit: async () => ({}) })
  const scopes = { groups: ['map'] }
  const admitted = await engine.admit({ group: 'map' }, { scopes })
  await expect(engine.scrape({ url }, { admitted, scopes })).rejects.toThrow(/group scrape/)
})

test('Addresses are added to a batch only by a call that may ask for the formats of that batch', async () => {
  await using engine = engineOf()
  const { id } = await engine.batch({ urls: [url], formats: ['links'] })
  const more = { urls: [`${url}more`], formats: ['markdown' as const], appendToId: id }
  await expect(engine.batch(more, { scopes: { formats: ['markdown'] } })).rejects.toThrow(/format links/)
  await engine.batch(more, { scopes: { formats: ['markdown', 'links'] } })
})

test('A price that is asked for with a call is refused as the request would be', async () => {
  await using engine = engineOf()
  const scopes = { groups: ['crawl', 'search'], formats: ['markdown'] }
  const scrapeOptions = { formats: ['html'] }
  expect(engine.preview('crawl', { url }, { scopes }).min).toBe(1)
  expect(() => engine.preview('batch', { urls: [url] }, { scopes })).toThrow(/group batch/)
  expect(() => engine.preview('crawl', { url, scrapeOptions }, { scopes })).toThrow(/format html/)
  expect(() => engine.preview('search', { query: 'lamps', scrapeOptions }, { scopes })).toThrow(/format html/)
})

test('A call with a wrong team or signal, or a misspelled key, is refused and does not run for another team', async () => {
  await using engine = engineOf()
  // Cast: what somebody writes who has no types.
  const refused = (call: object) => expect(engine.scrape({ url }, call as never)).rejects
  await refused({ taem: 'acme' }).toThrow('taem is not a known key of a call; did you mean team?')
  await refused({ team: 5 }).toThrow('team must be the id of a team, but is 5.')
  await refused({ team: '' }).toThrow('team must be the id of a team, but is "".')
  await refused({ signal: 5 }).toThrow('signal must be an AbortSignal, but is 5.')
  await expect(engine.crawl({ url }, { idempotencyKey: 5 } as never)).rejects.toThrow('must be a string, but is 5.')
  await expect(engine.crawl({ url }, { idempotencykey: 'one' } as never)).rejects.toThrow(
    'did you mean idempotencyKey?',
  )
  await expect(engine.jobs.find(5 as never)).rejects.toThrow('The job 5 does not exist, or has expired.')
  await engine.scrape({ url }, { team: 'acme', signal: new AbortController().signal })
})

test('Every request to a closed engine is told that the engine was closed', async () => {
  const engine = engineOf()
  await engine.close()
  const closed = { code: 'closed', message: 'The engine was closed.' }
  await expect(engine.scrape({ url })).rejects.toMatchObject(closed)
  await expect(engine.crawl({ url })).rejects.toMatchObject(closed)
  await expect(engine.batch({ urls: [url] })).rejects.toMatchObject(closed)
  await expect(engine.map({ url })).rejects.toMatchObject(closed)
})
