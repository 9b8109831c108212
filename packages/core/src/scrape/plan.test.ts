import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { builtIn } from '../defaults.ts'
import type { EngineError } from '@harvestman/ports'
import { defineAction, defineFormat, defineLoader, definePlugin } from '../plugin/define.ts'
import type { Plugin } from '../plugin/parts.ts'
import { makeRegistry } from '../plugin/registry.ts'
import { markdown } from '../formats/markdown.ts'
import { buildScrapeSchema } from '../plugin/build-schema.ts'
import { check } from '../schema/problems.ts'
import { requestDefaults } from '../schema/scrape.ts'
import { makePlan } from './plan.ts'

interface House {
  readonly browser?: boolean
  readonly ports?: readonly string[]
  readonly plugins?: readonly Plugin[]
}

function planOf(request: object, { browser = false, ports = [], plugins = [] }: House = {}) {
  const registry = makeRegistry(builtIn({ browser }), plugins)
  const input = check(buildScrapeSchema(registry, requestDefaults), { url: 'https://example.com/', ...request })
  return makePlan(input, { registry, ports: new Map(ports.map((name) => [name, {}])) })
}

function refusal(request: object, house?: House): EngineError {
  try {
    planOf(request, house)
  } catch (error) {
    return error as EngineError
  }
  throw new Error('was planned')
}

// Whether scripts draw the page is read from every one.
const names = (parts: readonly { readonly name: string }[]) =>
  parts.map(({ name }) => name).filter((name) => name !== 'shell')

describe('what an engine was not given is refused before anything is fetched, by name', () => {
  test.each([
    [{ actions: [{ type: 'scrape' }] }, 'actions', 'browser'],
    [{ waitFor: 100 }, 'waitFor', 'browser'],
    [{ mobile: true }, 'mobile', 'browser'],
    [{ formats: ['screenshot'] }, 'screenshot', 'browser'],
    [{ proxy: 'enhanced' }, 'proxy', 'proxies'],
    [{ formats: ['json'], jsonOptions: { prompt: 'x' } }, 'json', 'llm'],
    [{ formats: ['markdown', 'changeTracking'] }, 'changeTracking', 'history'],
  ])('%j', (request, option, port) => {
    const error = refusal(request)
    expect(error.code).toBe('not_configured')
    expect(error.message).toContain(option)
    expect(error.details['port']).toBe(port)
  })
})

test('with a browser, HTTP is first and the browser second; what needs a browser goes straight to it', () => {
  expect(names(planOf({}, { browser: true }).loaders)).toEqual(['http', 'browser'])
  expect(names(planOf({ waitFor: 1 }, { browser: true }).loaders)).toEqual(['browser'])
  expect(names(planOf({ formats: ['screenshot'] }, { browser: true }).loaders)).toEqual(['browser'])
})

test('a loader of a plugin takes its place by cost, and only where it accepts the address', () => {
  const archive = defineLoader({
    name: 'archive',
    cost: 0,
    accepts: ({ hostname }) => hostname === 'old.example.com',
    load: async () => ({ pass: '' }),
  })
  const plugins = [definePlugin({ name: 'p', loaders: [archive] })]
  expect(names(planOf({ url: 'https://old.example.com/' }, { plugins }).loaders)).toEqual(['archive', 'http'])
  expect(names(planOf({}, { plugins }).loaders)).toEqual(['http'])
})

test('only what the formats need is read from the page, and metadata always', () => {
  expect(names(planOf({ formats: [] }).readings)).toEqual(['metadata'])
  expect(names(planOf({ formats: ['links', 'markdown'] }).readings).toSorted()).toEqual([
    'links',
    'markdown',
    'metadata',
  ])
})

test('a format built on another one has that read as well', () => {
  const words = defineFormat({
    type: 'words',
    needs: { markdown },
    derive: ({ markdown }) => markdown.split(' ').length,
  })
  const plan = planOf({ formats: ['words'] }, { plugins: [definePlugin({ name: 'p', formats: [words] })] })
  expect(names(plan.readings).toSorted()).toEqual(['markdown', 'metadata'])
})

test('a plugin that replaces a field keeps the built-in one from being read', () => {
  const own = defineFormat({ type: 'markdown', needs: {}, derive: () => 'mine' })
  const plan = planOf({}, { plugins: [definePlugin({ name: 'p', formats: [own] })] })
  expect(names(plan.readings)).toEqual(['metadata'])
})

describe('the cache', () => {
  const cacheOf = (request: object) => planOf(request).cache

  test('is written and not read by a request that says nothing', () => {
    expect(cacheOf({})).toEqual({ read: undefined, only: false, write: true })
  })
  test('is read up to maxAge', () => {
    expect(cacheOf({ maxAge: 500 }).read).toEqual({ from: 0, to: 500 })
  })
  test('is all there is with minAge', () => {
    expect(cacheOf({ minAge: 10 })).toMatchObject({ read: { from: 10, to: Infinity }, only: true })
    expect(cacheOf({ minAge: 10, maxAge: 20 }).read).toEqual({ from: 10, to: 20 })
  })
  test('is neither read nor written with headers or actions', () => {
    expect(cacheOf({ maxAge: 500, headers: { a: 'b' } })).toEqual({ read: undefined, only: false, write: false })
    const acting = planOf({ maxAge: 500, actions: [{ type: 'scrape' }] }, { browser: true })
    expect(acting.cache).toEqual({ read: undefined, only: false, write: false })
  })
  test('is not written when the request says so, or when nothing may be kept', () => {
    expect(cacheOf({ storeInCache: false }).write).toBe(false)
    expect(planOf({ zeroDataRetention: true })).toMatchObject({ mayKeep: false, cache: { write: false } })
  })
})

test('two plugins that claim one name are refused with both names', () => {
  const one = defineFormat({ type: 'x', needs: {}, derive: () => 1 })
  const plugins = [definePlugin({ name: 'first', formats: [one] }), definePlugin({ name: 'second', formats: [one] })]
  expect(() => makeRegistry(builtIn({ browser: false }), plugins)).toThrow(
    'The plugins first and second both define "x"',
  )
})

test('the tiers of proxies are planned: one, or the next for when a host refuses', () => {
  const withProxies: House = { ports: ['proxies'] }
  expect(planOf({}, withProxies).tiers).toEqual(['basic'])
  expect(planOf({ proxy: 'enhanced' }, withProxies).tiers).toEqual(['enhanced'])
  expect(planOf({ proxy: 'auto' }, withProxies).tiers).toEqual(['basic', 'enhanced'])
  expect(planOf({ proxy: 'auto' }).tiers).toEqual(['basic'])
})

describe('what is needed of the browser', () => {
  const none = { pictures: false, ownContext: false }
  const all = { pictures: true, ownContext: true }
  const looks = { ...none, pictures: true }
  const bare = definePlugin({
    name: 'bare',
    actions: [
      defineAction({ type: 'unsaid', schema: z.object({}), run: async () => undefined }),
      defineAction({ type: 'half', schema: z.object({}), needs: { pictures: false }, run: async () => undefined }),
    ],
  })

  test.each<[string, object, object]>([
    ['nothing', {}, none],
    ['a wait', { actions: [{ type: 'wait', milliseconds: 1 }] }, none],
    ['a wait for an element', { actions: [{ type: 'wait', selector: 'p' }] }, none],
    ['a scroll', { actions: [{ type: 'scroll' }] }, none],
    ['the action scrape', { actions: [{ type: 'scrape' }] }, none],
    ['the action screenshot', { actions: [{ type: 'wait', milliseconds: 1 }, { type: 'screenshot' }] }, looks],
    ['the action pdf', { actions: [{ type: 'pdf' }] }, looks],
    ['the format screenshot', { formats: ['screenshot'] }, looks],
    [
      'a click',
      {
        actions: [
          { type: 'click', selector: 'a' },
          { type: 'wait', milliseconds: 1 },
        ],
      },
      all,
    ],
    ['writing', { actions: [{ type: 'write', text: 'x' }] }, all],
    ['a key', { actions: [{ type: 'press', key: 'Enter' }] }, all],
    ['a script', { actions: [{ type: 'executeJavascript', script: '1' }] }, all],
    ['headers of the caller', { headers: { cookie: 'a=1' } }, { ...none, ownContext: true }],
    ['an action of a plugin that does not say', { actions: [{ type: 'unsaid' }] }, all],
    ['one that says a part', { actions: [{ type: 'half' }] }, { ...none, ownContext: true }],
  ])('by %s', (_, request, needs) => {
    expect(planOf(request, { browser: true, plugins: [bare] }).browserNeeds).toEqual(needs)
  })
})
