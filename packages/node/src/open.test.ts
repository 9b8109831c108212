import { beforeEach, expect, test, vi } from 'vitest'

import { definePlugin, definePolicy } from '@harvestman/core/plugin'

import { readConfig, type Environment } from './config.ts'
import { openEngine } from './open.ts'

const { opened, closed, part } = vi.hoisted(() => {
  const [open, ended]: string[][] = [[], []]
  const make = (name: string) => {
    open!.push(name)
    return { close: async () => void ended!.push(name) }
  }
  return { opened: open!, closed: ended!, part: make }
})
vi.mock('@harvestman/redis', () => ({
  redisStore: () => ({ get: async () => undefined, ...part('store') }),
  bullQueue: () => part('queue'),
}))
vi.mock('@harvestman/s3', () => ({ s3Blobs: () => part('files') }))
vi.mock('./watch-process.ts', () => ({
  watchProcess: () => ({
    observer: undefined,
    onRequest: () => void opened.push('thread of the watchdog'),
    ...part('watchdog'),
  }),
}))

beforeEach(() => {
  opened.length = 0
  closed.length = 0
})

const redis = { HARVESTMAN_PORT: '0', HARVESTMAN_STORE: 'redis://localhost', HARVESTMAN_FILES: 's3://bucket' }
const withKey = { ...redis, HARVESTMAN_S3_KEY_ID: 'a', HARVESTMAN_S3_SECRET: 'b' }

test.each<[string, Environment, string[]]>([
  ['the files', redis, ['store', 'queue']],
  ['the search', { ...withKey, HARVESTMAN_SEARCH_INDEX: 'on' }, ['store', 'queue', 'files']],
])('an engine closes the parts that are open if %s cannot be opened', async (_, env, parts) => {
  await expect(openEngine(readConfig({ env }).config)).rejects.toThrow()
  expect(opened).toEqual(parts)
  expect(closed.toSorted()).toEqual(parts.toSorted())
})

test('an engine closes the parts that are open if a plugin is invalid', async () => {
  const { config } = readConfig({ env: withKey })
  // Cast: a plugin of a caller without types.
  await expect(openEngine(config, { plugins: [{} as never] })).rejects.toMatchObject({ code: 'invalid_request' })
  expect(closed.toSorted()).toEqual(['files', 'queue', 'store'])
})

test('nothing is requested of a host that a policy of the operator forbids, also for its preferences', async () => {
  const { config } = readConfig({ env: { HARVESTMAN_STORE: 'memory:', HARVESTMAN_USES: 'ai-train' } })
  const requested: string[] = []
  const fetcher = {
    exchange: async ({ url }: { readonly url: URL }) => {
      requested.push(url.href)
      return { status: 404, headers: [], body: new Uint8Array() }
    },
    close: async () => undefined,
  }
  const rules = definePlugin({
    name: 'rules',
    policies: [definePolicy({ name: 'nowhere', may: ({ is }) => is !== 'url' || 'Nowhere.' })],
    ports: () => ({ fetcher: () => fetcher }),
  })
  const { engine, close } = await openEngine(config, { plugins: [rules] })
  try {
    await expect(engine.scrape({ url: 'https://a.example/page' })).rejects.toMatchObject({
      code: 'policy_denied',
      message: expect.stringContaining('Nowhere.') as string,
    })
    expect(requested).toEqual([])
  } finally {
    await close()
  }
})

test.each([
  ['server', 'openServer'],
  ['worker', 'openWorker'],
] as const)('a %s closes its watchdog if the engine cannot be opened', async (_, name) => {
  // Test files share what they have imported, and another one may have loaded the server with the real watchdog.
  vi.resetModules()
  const { [name]: open } = await import('./serving.ts')
  await expect(open(readConfig({ env: redis }).config)).rejects.toMatchObject({ code: 'not_configured' })
  expect(closed).toContain('watchdog')
})

test.each([
  ['has', {}, true],
  ['can do without', { HARVESTMAN_HTTP_IDENTITY: 'off' }, false],
])('an engine %s the step of impit where that is installed', async (_, env, isUsed) => {
  const { config } = readConfig({ env: { HARVESTMAN_STORE: 'memory:', ...env } })
  const { engine, close } = await openEngine(config)
  expect(engine.capabilities().loaders.includes('http-identity')).toBe(isUsed)
  await close()
})

test('a server starts the thread of its watchdog before the first request', async () => {
  vi.resetModules()
  const { openServer } = await import('./serving.ts')
  const { config } = readConfig({ env: { HARVESTMAN_STORE: 'memory:', HARVESTMAN_PORT: '0' } })
  const server = await openServer(config)
  await server.close()
  expect(opened).toContain('thread of the watchdog')
})
