// What a plugin can add to an engine under a name of its own.
import { EngineError, type EngineEvent } from '@harvestman/ports'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { createEngine } from '../engine/engine.ts'
import { failure, house, url } from '../scrape/fixtures/house.ts'
import { memoryStore } from '@harvestman/embedded'
import { defineGate, definePlugin } from './define.ts'
import type { FeatureCall } from './endpoint.ts'
import { defineFeature, type FeatureKit } from './feature.ts'
import type { RequestNote } from './gate.ts'
import { definePort } from './port.ts'

/** Says how often it was asked, by team. */
const counter = defineFeature({
  name: 'counter',
  activities: { count: 'counting' },
  open: ({ admit, store }) => ({
    count: (call: FeatureCall = {}) =>
      admit({ endpoint: 'count', input: { url }, idOf: String }, call, async ({ team }) =>
        store.update(`counter/${team}`, (old) => Number(old ?? 0) + 1),
      ),
  }),
})

function bare(name: string, open: (kit: FeatureKit) => unknown = () => ({})) {
  return defineFeature({ name, open })
}

function engineOf(...features: readonly ReturnType<typeof bare>[]) {
  return createEngine({ plugins: [definePlugin({ name: 'own', features })] })
}

/** What making an engine is refused with. */
async function refusal(make: () => unknown): Promise<string> {
  return (await failure(Promise.resolve().then(make))).message
}

describe('a feature', () => {
  test('is a property of its engine, made with it', async () => {
    await using engine = createEngine({ plugins: [definePlugin({ name: 'counting', features: [counter] })] })
    expect(await engine.counter.count()).toBe(1)
    expect(await engine.counter.count({ team: 'acme' })).toBe(1)
    expect(await engine.counter.count()).toBe(2)
  })

  test('is used only after the plugins were opened, so that they are closed with the engine', async () => {
    const calls: string[] = []
    const lasting = defineFeature({
      name: 'lasting',
      open: ({ work }) => ({
        run: () => work({ id: 'one', team: 'acme', request: {}, isOfJob: false }, async () => void calls.push('work')),
      }),
    })
    const makeEngine = () =>
      createEngine({
        plugins: [
          definePlugin({
            name: 'own',
            features: [counter, lasting],
            open: () => void calls.push('open'),
            close: () => void calls.push('close'),
          }),
        ],
      })
    for (const use of [
      ({ counter }: ReturnType<typeof makeEngine>) => counter.count(),
      ({ lasting }: ReturnType<typeof makeEngine>) => lasting.run(),
    ]) {
      calls.length = 0
      const engine = makeEngine()
      await use(engine)
      await engine.close()
      expect(calls.filter((call) => call !== 'work')).toEqual(['open', 'close'])
    }
  })

  test('admits requests as the engine does: gates are asked by its groups, and hear what it was asked for', async () => {
    const heard: RequestNote[] = []
    let asked = 0
    const once = defineGate({
      name: 'once',
      open: () => ({
        admit: async ({ group }) => {
          if (group === 'counting' && (asked += 1) > 1) throw new EngineError('rate_limited', 'Once is enough.')
          return {}
        },
        noted: (note) => void heard.push(note),
      }),
    })
    await using engine = createEngine({
      plugins: [definePlugin({ name: 'counting', features: [counter], gates: [once] })],
    })
    const call = { team: 'acme' }
    await engine.counter.count(call)
    expect(await failure(engine.counter.count(call))).toMatchObject({ code: 'rate_limited' })
    const others = { ...call, scopes: { groups: ['scrape'] } }
    expect(await failure(engine.counter.count(others))).toMatchObject({ code: 'scope_missing' })
    expect(heard.map(({ id, endpoint, target, refused }) => [id === '1', endpoint, target, refused])).toEqual([
      [true, 'count', url, undefined],
      [false, 'count', url, 'rate_limited'],
      [false, 'count', url, 'scope_missing'],
    ])
  })

  test('is closed with the engine, once, the last one first, while the store is still there', async () => {
    const closed: string[] = []
    const named = (name: string) =>
      defineFeature({
        name,
        open: ({ store, signal }) => ({ store, signal }),
        close: async ({ store, signal }) => {
          await store.set('closed', name)
          closed.push(`${name} ${signal.aborted}`)
        },
      })
    const engine = createEngine({ plugins: [definePlugin({ name: 'own', features: [named('one'), named('two')] })] })
    await Promise.all([engine.close(), engine.close()])
    expect(closed).toEqual(['two true', 'one true'])
  })

  test('that does not close keeps nothing else from closing, and the host is told', async () => {
    const events: EngineEvent[] = []
    const closed: string[] = []
    const features = [
      defineFeature({ name: 'good', open: () => 1, close: () => void closed.push('good') }),
      defineFeature({ name: 'bad', open: () => 2, close: () => Promise.reject(new Error('stuck')) }),
    ]
    const engine = createEngine({
      plugins: [definePlugin({ name: 'own', features })],
      observer: (event) => void events.push(event),
    })
    await engine.close()
    expect(closed).toEqual(['good'])
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'warning', message: 'bad could not be closed: stuck' }),
    )
  })

  test.each([
    ['scrape', /scrape, is reserved/],
    ['close', /close, is reserved/],
    ['then', /then, is reserved/],
    ['constructor', /constructor, is reserved/],
    ['Big', /Big, must be a lowercase letter/],
    ['two words', /two words, must be a lowercase letter/],
  ])('named %s is refused', async (name, message) => {
    expect(await refusal(() => engineOf(bare(name)))).toMatch(message)
  })

  test('of two plugins under one name is refused, with the names of both', async () => {
    const plugins = ['left', 'right'].map((name) => definePlugin({ name, features: [bare('notes')] }))
    expect(await refusal(() => createEngine({ plugins }))).toBe(
      'The plugins left and right both define "notes" in features. Give one of them another name, or leave one out.',
    )
  })
})

describe('the kit of a feature', () => {
  /** Two engines on one store, each with the kit of its feature. */
  function kits(store = memoryStore()) {
    const feature = defineFeature({ name: 'open', open: (kit) => kit })
    const make = () => createEngine({ store, plugins: [definePlugin({ name: 'own', features: [feature] })] })
    return [make(), make()] as const
  }

  test('gives a lock to one engine at a time', async () => {
    const [one, two] = kits()
    const unlock = await one.open.lock('open/a')
    expect(await two.open.lock('open/a')).toBeUndefined()
    expect(await two.open.lock('open/b')).toBeDefined()
    await unlock?.()
    expect(await two.open.lock('open/a')).toBeDefined()
    await Promise.all([one.close(), two.close()])
  })

  test('gives a lock again at once that its store did not release because it was away', async () => {
    const store = memoryStore()
    let isAway = false
    const update: typeof store.update = async (...given) => {
      if (isAway) throw new EngineError('store_failed', 'The store is away.')
      return store.update(...given)
    }
    const [one, two] = kits({ ...store, update })
    const unlock = await one.open.lock('open/a')
    isAway = true
    await expect(unlock?.()).rejects.toMatchObject({ code: 'store_failed' })
    isAway = false
    const again = await one.open.lock('open/a')
    expect(again).toBeDefined()
    expect(await one.open.lock('open/a')).toBeUndefined()
    await again?.()
    expect(await two.open.lock('open/a')).toBeDefined()
    await Promise.all([one.close(), two.close()])
  })

  test('releases a lock for other engines when a store that was away is back', async () => {
    const store = memoryStore()
    let isAway = false
    const update: typeof store.update = async (...given) => {
      if (isAway) throw new EngineError('store_failed', 'The store is away.')
      return store.update(...given)
    }
    const [one, two] = kits({ ...store, update })
    const unlock = await one.open.lock('open/a')
    isAway = true
    await expect(unlock?.()).rejects.toMatchObject({ code: 'store_failed' })
    isAway = false
    let found: unknown
    await expect.poll(async () => (found ??= await two.open.lock('open/a')), { timeout: 10_000 }).toBeDefined()
    await Promise.all([one.close(), two.close()])
  })

  test('sets credits aside, and takes what the work costs', async () => {
    const [engine, other] = kits()
    await engine.ledger.grant({ team: 'acme', credits: 10, id: 'start' })
    const hold = engine.open.hold({ team: 'acme', task: 'open/1', until: Date.now() + 60_000 })
    await hold.reserve(8)
    expect(await engine.usage({ team: 'acme' })).toMatchObject({ credits: 2, held: 8 })
    await hold.settle(3)
    expect(await engine.usage({ team: 'acme' })).toMatchObject({ credits: 7, held: 0 })
    expect(await failure(hold.reserve(100))).toMatchObject({ code: 'insufficient_credits' })
    await Promise.all([engine.close(), other.close()])
  })

  test('has names by which engines on one store know each other', async () => {
    const [one, two] = kits()
    expect(one.open.owner).not.toBe(two.open.owner)
    expect(two.open.isGone(one.open.owner)).toBe(false)
    await Promise.all([one.close(), two.close()])
  })

  test('provides what a port asks for, once', async () => {
    const bees = definePort<string>({ name: 'bees', description: 'bees', remedy: 'Add bees.' })
    const [engine, other] = kits()
    expect(engine.open.port(bees)).toBeUndefined()
    engine.open.provide(bees, 'a swarm')
    expect(engine.open.port(bees)).toBe('a swarm')
    expect(engine.capabilities().ports).toContain('bees')
    expect(() => engine.open.provide(bees, 'more')).toThrow(EngineError)
    await Promise.all([engine.close(), other.close()])
  })

  test('has the secret fields of its records encrypted in the store', async () => {
    const store = memoryStore()
    const feature = defineFeature({ name: 'links', secretFields: ['linkToken'], open: (kit) => kit.store })
    const plugins = [definePlugin({ name: 'own', features: [feature] })]
    await using engine = createEngine({ store, secretKey: 'a key that is long enough', plugins })
    const record = { linkToken: 'abc', host: 'a.test' }
    await engine.links.set('one', record)
    expect(await engine.links.get('one')).toEqual(record)
    expect(await store.get('one')).toMatchObject({ linkToken: expect.stringMatching(/^sealed:/), host: 'a.test' })
  })

  test('says how the page of a kept scrape came to be, where a feature asks for that', async () => {
    const found = async (usesReplays: boolean): Promise<unknown> => {
      let kit: FeatureKit | undefined
      const feature = defineFeature({ name: 'replays', usesReplays, open: (given) => (kit = given) })
      const { engine } = house(() => ({}), { plugins: [definePlugin({ name: 'own', features: [feature] })] })
      const { metadata } = await engine.scrape({ url, headers: { 'x-one': '1' } }, { keep: true })
      const replay = await kit?.findReplay(metadata.scrapeId, 'default')
      await engine.close()
      return replay
    }
    expect(await found(true)).toMatchObject({ url, headers: { 'x-one': '1' } })
    expect(await found(false)).toBeUndefined()
  })
})

describe('endpoints of a feature', () => {
  const counted = (run: () => unknown, output: z.ZodType = z.number()) =>
    createEngine({
      plugins: [
        definePlugin({
          name: 'counting',
          features: [
            defineFeature({
              name: 'counts',
              open: () => ({}),
              endpoints: (endpoint) => ({
                next: endpoint({ method: 'POST', path: '/v2/counts', summary: 'Counts.', output, run }),
              }),
            }),
          ],
        }),
      ],
    })

  test('name the plugin when they throw, and keep errors that have a code', async () => {
    await using engine = counted(() => {
      throw new TypeError('no counter')
    })
    const message = 'The endpoint counts.next of the plugin counting failed: no counter'
    expect(await failure(engine.counts.next())).toMatchObject({ code: 'internal', message })
    await using refusing = counted(() => {
      throw new EngineError('conflict', 'It is full.')
    })
    expect(await failure(refusing.counts.next())).toMatchObject({ code: 'conflict', message: 'It is full.' })
  })

  test('name the plugin when their result is not what they declare, and drop what they do not declare', async () => {
    await using engine = counted(() => ({ count: 'many' }), z.object({ count: z.number() }))
    expect((await failure(engine.counts.next())).message).toMatch(
      /^The endpoint counts\.next of the plugin counting returned a result that its output schema refuses at count: /,
    )
    await using hiding = counted(() => ({ count: 1, secret: 'x' }), z.object({ count: z.number() }))
    expect(await hiding.counts.next()).toEqual({ count: 1 })
  })

  test('are listed in the activity under the name of the feature unless they only read', async () => {
    const heard: unknown[] = []
    const gate = defineGate({
      name: 'ears',
      open: () => ({
        admit: async () => ({}),
        noted: ({ endpoint, target, refused }) => void heard.push([endpoint, target, refused]),
      }),
    })
    const items = defineFeature({
      name: 'items',
      open: () => ({}),
      endpoints: (endpoint) => ({
        list: endpoint({
          method: 'GET',
          path: '/v2/items',
          summary: 'Lists.',
          output: z.array(z.string()),
          run: () => [],
        }),
        delete: endpoint({ method: 'DELETE', path: '/v2/items/{id}', summary: 'Deletes.', run: () => undefined }),
        rename: endpoint({
          ...{ method: 'PATCH', path: '/v2/items/{id}/name', summary: 'Renames.', run: () => undefined },
          input: z.object({ name: z.string(), zeroDataRetention: z.boolean().optional() }),
          subject: (_, { params: { id }, input: { name } }) =>
            id === 'none' ? Promise.reject(new Error('gone')) : `${id} to ${name}`,
        }),
      }),
    })
    await using engine = createEngine({ plugins: [definePlugin({ name: 'own', features: [items], gates: [gate] })] })
    await engine.items.list()
    await engine.items.delete('seven')
    await failure(engine.items.delete('eight', { scopes: { groups: ['scrape'] } }))
    await engine.items.rename('one', { name: 'two' })
    await engine.items.rename('none', { name: 'two' })
    await engine.items.rename('secret', { name: 'two', zeroDataRetention: true })
    await failure(engine.items.rename('', { name: 'two' }))
    expect(heard).toEqual([
      ['items', 'seven', undefined],
      ['items', 'eight', 'scope_missing'],
      ['items', 'one to two', undefined],
      ['items', undefined, undefined],
      ['items', undefined, 'invalid_request'],
    ])
  })

  test('that cannot work are refused by name when the feature is defined', () => {
    const run = () => undefined
    const one = { method: 'GET', path: '/v2/a', summary: 'Does it.', run } as const
    const define = (endpoints: Record<string, object>) => () =>
      // Cast: what somebody without types would write.
      defineFeature({ name: 'a', open: () => ({}), endpoints: (make) => mapped(endpoints, make as never) })
    expect(define({ Get: one })).toThrow('The endpoint a.Get has a name that is not')
    expect(define({ get: { ...one, path: '/a' } })).toThrow('The endpoint a.get has the path /a. Use a path below /v2/')
    expect(define({ get: { ...one, run: undefined } })).toThrow('The endpoint a.get has no run function.')
    expect(define({ get: { ...one, summary: '' } })).toThrow('The endpoint a.get has no summary.')
    const topLevel = { ...one, output: z.object({ id: z.string() }), topLevel: ['next'] }
    expect(define({ get: topLevel })).toThrow('The endpoint a.get has "next" in topLevel, which is not a property')
    const sized = { ...one, method: 'POST', input: z.object({ file: z.string() }) }
    expect(define({ get: { ...sized, maxTextBytes: { fil: 5 } } })).toThrow(
      'The endpoint a.get has "fil" in maxTextBytes, which is not a property of its input.',
    )
    expect(define({ get: { ...sized, maxTextBytes: { file: 0.5 } } })).toThrow(
      'The endpoint a.get has 0.5 as maxTextBytes of "file". Use a positive integer.',
    )
    expect(define({ get: { ...sized, method: 'GET', maxTextBytes: { file: 5 } } })).toThrow(
      'The endpoint a.get has maxTextBytes, but a GET request has no body. Remove maxTextBytes.',
    )
    expect(define({ add: { ...one, method: 'POST', isOpen: true } })).toThrow(
      'The endpoint a.add has isOpen, but the activity',
    )
    expect(define({ get: one, find: one })).toThrow(
      'The endpoint a.find has the same method and path as a.get: GET /v2/a',
    )
  })
})

function mapped(endpoints: Record<string, object>, make: (input: object) => never) {
  return Object.fromEntries(Object.entries(endpoints).map(([name, one]) => [name, make(one)]))
}

test('a request is in the activity log under the activity of its endpoint, by default the first of the feature', async () => {
  const notes: RequestNote[] = []
  const log = defineGate({ name: 'log', open: () => ({ noted: (note) => void notes.push(note) }) })
  const notebook = defineFeature({
    name: 'notebook',
    activities: { note: 'notebook', share: 'notebook' },
    open: () => ({}),
    endpoints: (endpoint) => ({
      add: endpoint({ method: 'POST', path: '/v2/notebook', summary: 'Adds a note.', run: () => undefined }),
      share: endpoint({
        ...{ method: 'POST', path: '/v2/notebook/share', summary: 'Shares the notes.', activity: 'share' },
        ...{ run: () => undefined },
      }),
    }),
  })
  await using engine = createEngine({ plugins: [definePlugin({ name: 'own', gates: [log], features: [notebook] })] })
  await engine.notebook.add()
  await engine.notebook.share()
  expect(notes.map(({ endpoint }) => endpoint)).toEqual(['note', 'share'])
})
