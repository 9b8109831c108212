import { createEngine, memoryStore } from '../index.ts'
import { defineFeature, definePlugin, type OwnRun } from '../plugin.ts'
import { movedClock } from '@harvestman/testing'
import type { Store } from '@harvestman/ports'
import { expect, test, vi } from 'vitest'

type Run = (request: { readonly place: number }, run: OwnRun) => Promise<void>

function open(
  run: Run,
  {
    atOnce = 2,
    store = memoryStore(),
    ...options
  }: { atOnce?: number; store?: Store; limits?: { leaseTime: number } } = {},
) {
  const clock = movedClock()
  const feature = defineFeature({
    name: 'counter',
    open: (kit) => kit.ownWork<{ place: number }>({ kind: 'counting', atOnce, run }),
  })
  const hooks: string[] = []
  const fetcher = () => ({
    exchange: async ({ url }: { url: URL }) => {
      hooks.push(url.href)
      return { status: 200, headers: [], body: new Uint8Array() }
    },
    close: async () => undefined,
  })
  const resolver = async () => [{ address: '93.184.215.14', family: 4 as const }]
  const engine = createEngine({
    ...{ store, clock, fetcher, resolver, ...options, webhook: 'https://hook.test/' },
    plugins: [definePlugin({ name: 'counter', features: [feature] })],
  })
  return { engine, clock, store, hooks }
}

const mine = (key: string) => ({ team: 'team', key })

test('work of a feature runs once for each key, and no list, count or webhook shows it', async () => {
  const places: number[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const { engine, hooks } = open(async ({ place }) => {
    places.push(place)
    await promise
  })
  expect(await engine.counter.start({ place: 1 }, mine('a'))).toEqual({ hasEnded: false })
  expect(await engine.counter.start({ place: 1 }, mine('a'))).toEqual({ hasEnded: false })
  await vi.waitFor(() => expect(places).toEqual([1]))
  expect(await engine.jobs.count()).toBe(0)
  expect(await engine.jobs.countByTeam()).toEqual({})
  expect(await engine.jobs.running({ team: 'team' })).toEqual([])
  expect(await engine.jobs.list({}, { team: 'team' })).toEqual({ jobs: [] })
  expect(await engine.jobs.list({ status: 'scraping' }, { team: 'team' })).toEqual({ jobs: [] })
  expect(engine.jobs.here().running).toBe(0)
  resolve()
  await vi.waitFor(async () => expect(await engine.counter.start({ place: 1 }, mine('a'))).toEqual({ hasEnded: true }))
  await engine.close()
  expect([places, hooks]).toEqual([[1], []])
})

test('no more of it runs at once in an engine than may', async () => {
  let [running, most, done] = [0, 0, 0]
  const { engine } = open(async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running -= 1
    done += 1
  })
  for (const place of [1, 2, 3, 4, 5]) await engine.counter.start({ place }, mine(String(place)))
  await vi.waitFor(() => expect(done).toBe(5))
  await engine.close()
  expect(most).toBe(2)
})

test('work that fails is repeated after pauses that grow, and is given the number of its failures', async () => {
  const failures: number[] = []
  const { engine, clock } = open(async (_, run) => {
    failures.push(run.failures)
    if (run.failures < 2) throw new Error('Not yet.')
  })
  await engine.counter.start({ place: 1 }, mine('a'))
  await vi.waitFor(() => expect(failures).toEqual([0]))
  await new Promise((resolve) => setTimeout(resolve, 20))
  clock.moveOn(4_000)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(failures).toEqual([0])
  await vi.waitFor(() => {
    clock.moveOn(1_000)
    expect(failures).toEqual([0, 1, 2])
  })
  await engine.close()
})

test('an engine that closes stops its work, and the next one on the store continues it', async () => {
  const store = memoryStore()
  const stopped: boolean[] = []
  const first = open(
    (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped.push(true)
          reject(signal.reason as Error)
        })
      }),
    { store, limits: { leaseTime: 1_000 } },
  )
  await first.engine.counter.start({ place: 7 }, mine('a'))
  await vi.waitFor(() => expect(first.engine.jobs.count()).resolves.toBe(0))
  await new Promise((resolve) => setTimeout(resolve, 50))
  await first.engine.close()
  const places: number[] = []
  const second = open(async ({ place }) => void places.push(place), { store, limits: { leaseTime: 1_000 } })
  await second.engine.counter.resume()
  await vi.waitFor(() => expect(places).toEqual([7]), { timeout: 20_000 })
  await second.engine.close()
  expect(stopped).toEqual([true])
})

test('an engine without the feature leaves its work alone', async () => {
  const store = memoryStore()
  const first = open(
    async (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    { store },
  )
  await first.engine.counter.start({ place: 1 }, mine('a'))
  await first.engine.close()
  const warnings: string[] = []
  const other = createEngine({
    store,
    observer: (event) => void (event.kind === 'warning' && warnings.push(event.message)),
  })
  await other.jobs.work()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await other.jobs.count()).toBe(0)
  await other.close()
  expect(warnings).toEqual([])
  const places: number[] = []
  const second = open(async ({ place }) => void places.push(place), { store })
  await second.engine.counter.resume()
  await vi.waitFor(() => expect(places).toEqual([1]), { timeout: 20_000 })
  await second.engine.close()
})

test('a feature cannot define two kinds of work with one name', async () => {
  const feature = defineFeature({
    name: 'twice',
    open: (kit) => {
      const work = { kind: 'counting', atOnce: 1, run: async () => undefined }
      return [kit.ownWork(work), kit.ownWork(work)]
    },
  })
  const plugins = [definePlugin({ name: 'twice', features: [feature] })]
  expect(() => createEngine({ plugins })).toThrow(/internal work named counting/)
})
