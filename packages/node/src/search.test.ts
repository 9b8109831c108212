import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { engineErrorOf, startEmbeddingServer, startSearxngServer, startSite } from '@harvestman/testing'
import { afterAll, describe, expect, test } from 'vitest'

import { readConfig, type Environment } from './config.ts'
import { examine } from './doctor.ts'
import { openEngine } from './open.ts'
import { openSearch, unusedEmbedding } from './search.ts'

const finding = async (env: Environment) =>
  (await examine({ env: { HARVESTMAN_PORT: '0', ...env } })).find(({ name }) => name === 'search')

test('the names that people already set choose the instance, its engines and its categories', async () => {
  const server = await startSearxngServer({ results: [{ url: 'https://a.example/', title: 'A' }] })
  const env = { SEARXNG_ENDPOINT: server.url, SEARXNG_ENGINES: 'duckduckgo, qwant', SEARXNG_CATEGORIES: 'general,it' }
  const { engine, close } = await openEngine(readConfig({ env }).config)
  try {
    expect((await engine.search({ query: 'x', limit: 1 })).web).toMatchObject([{ title: 'A' }])
    expect(Object.fromEntries(server.searches[0]!)).toMatchObject({
      engines: 'duckduckgo,qwant',
      categories: 'general,it',
    })
  } finally {
    await close()
    await server.close()
  }
})

test('the index of scraped pages has the embedding model of the settings, which gets only its own key', async () => {
  const [server, site] = [await startEmbeddingServer({ key: 'own-key' }), await startSite()]
  const env = {
    ...{ HARVESTMAN_EMBEDDING_URL: server.url, HARVESTMAN_EMBEDDING_MODEL: 'm', HARVESTMAN_EMBEDDING_KEY: 'own-key' },
    ...{ OPENAI_API_KEY: 'other-key', HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8' },
  }
  const { engine, close } = await openEngine(readConfig({ env }).config, { serves: true })
  try {
    await engine.scrape({ url: `${site.url}/` })
    await engine.search({ query: 'unknownwords' })
    expect(server.requests).toContainEqual(['unknownwords'])
  } finally {
    await close()
    await site.close()
    await server.close()
  }
})

test.each([
  [{ HARVESTMAN_EMBEDDING_MODEL: 'm' }, 'HARVESTMAN_EMBEDDING_URL'],
  [{ HARVESTMAN_EMBEDDING_URL: 'http://localhost:1/v1' }, 'HARVESTMAN_EMBEDDING_MODEL'],
  [{ HARVESTMAN_EMBEDDING_KEY: 'k' }, 'HARVESTMAN_EMBEDDING_URL'],
  [{ HARVESTMAN_EMBEDDING_KEY: 'k', HARVESTMAN_EMBEDDING_MODEL: 'm', OPENAI_API_KEY: 'o' }, 'HARVESTMAN_EMBEDDING_URL'],
])('the embedding model of %j needs the other setting', async (env, missing) => {
  const { message } = await engineErrorOf(openSearch(readConfig({ env }).config, true))
  expect(message).toContain(missing)
})

describe('the index of scraped pages', () => {
  const offFolder = mkdtempSync(join(tmpdir(), 'search-off-'))
  afterAll(() => rmSync(offFolder, { recursive: true }))
  const ports = async (env: Environment, serves: boolean) => {
    const { engine, close } = await openEngine(readConfig({ env }).config, { serves })
    const has = engine.capabilities().ports.includes('search')
    await close()
    return has
  }

  test.each<[Environment, boolean, boolean]>([
    [{}, true, true],
    [{}, false, false],
    [{ HARVESTMAN_SEARCH_INDEX: 'off' }, true, false],
    [{ HARVESTMAN_SEARCH_INDEX: 'on' }, false, true],
    [{ HARVESTMAN_STORE: 'sqlite::memory:' }, false, false],
    [{ HARVESTMAN_STORE: `sqlite:${join(offFolder, 'a.sqlite')}`, HARVESTMAN_SEARCH_INDEX: 'off' }, true, false],
  ])('with %j, where it serves: %j, is there: %j', async (env, serves, isThere) => {
    expect(await ports(env, serves)).toBe(isThere)
  })

  test('is beside a SQLite store, for every process that uses it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'search-'))
    const site = await startSite()
    const env = { HARVESTMAN_STORE: `sqlite:${folder}/a.sqlite`, HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8' }
    const first = await openEngine(readConfig({ env }).config)
    await first.engine.scrape({ url: `${site.url}/good/article` })
    await first.close()
    const second = await openEngine(readConfig({ env }).config)
    expect((await second.engine.search({ query: 'walks on six' })).web).toHaveLength(1)
    await second.close()
    await site.close()
    expect(existsSync(`${folder}/a.sqlite.search`)).toBe(true)
    rmSync(folder, { recursive: true })
  })

  test.each<[Environment]>([
    [{ HARVESTMAN_SEARCH_INDEX: 'postgres://a:secret@127.0.0.1:1/search' }],
    [{ HARVESTMAN_SEARCH_INDEX: 'on', HARVESTMAN_STORE: 'postgres://a:secret@127.0.0.1:1/store' }],
  ])('is in Postgres with %j, and its connections are closed after it', async (env) => {
    const { search, plugins } = await openSearch(readConfig({ env }).config, true)
    expect(plugins.map(({ name }) => name)).toEqual(['page-index-connections', 'page-index'])
    const query = { team: 'a', words: 'x', limit: 1, source: 'web', language: 'en', newestFirst: false } as const
    const all = { ...query, includeDomains: [], excludeDomains: [], categories: [] }
    const error = await engineErrorOf(search?.find(all, AbortSignal.timeout(30_000)) ?? Promise.resolve())
    expect(error.code).toBe('search_unavailable')
    expect(error.message).not.toContain('secret')
    for (const { close } of plugins.toReversed()) await close?.()
  })

  test('is not shared by machines, and says so when it is asked for', async () => {
    const shared = { HARVESTMAN_STORE: 'redis://127.0.0.1:1' }
    const asked = readConfig({ env: { ...shared, HARVESTMAN_SEARCH_INDEX: 'on' } }).config
    await expect(openSearch(asked, true)).rejects.toThrow(/HARVESTMAN_SEARCH_INDEX to postgres:\/\/… or a local folder/)
    expect(await openSearch(readConfig({ env: shared }).config, true)).toEqual({ plugins: [] })
  })
})

test.each<[Environment, string | undefined]>([
  [{}, undefined],
  [{ SEARXNG_ENDPOINT: 'http://localhost:1' }, undefined],
  [{ HARVESTMAN_EMBEDDING_MODEL: 'm' }, undefined],
  [{ HARVESTMAN_EMBEDDING_MODEL: 'm', SEARXNG_ENDPOINT: 'http://localhost:1' }, 'SEARXNG_ENDPOINT'],
  [{ HARVESTMAN_EMBEDDING_KEY: 'k', SEARXNG_ENDPOINT: 'http://localhost:1' }, 'SEARXNG_ENDPOINT'],
  [{ HARVESTMAN_EMBEDDING_MODEL: 'm', HARVESTMAN_SEARCH_INDEX: 'off' }, 'HARVESTMAN_SEARCH_INDEX'],
])('with %j, a server warns of embedding settings without effect: %s', (env, named) => {
  const warning = unusedEmbedding(readConfig({ env }).config)
  if (named === undefined) expect(warning).toBeUndefined()
  else expect(warning).toContain(named)
})

test('doctor embeds one word with the model of the index, and names what to check', { tags: ['long'] }, async () => {
  const server = await startEmbeddingServer({ key: 'k' })
  const env = { HARVESTMAN_EMBEDDING_URL: server.url, HARVESTMAN_EMBEDDING_MODEL: 'm' }
  const good = await finding({ ...env, HARVESTMAN_EMBEDDING_KEY: 'k' })
  expect(good).toMatchObject({ state: 'good', message: expect.stringContaining('by meaning with m') })
  expect(server.requests).toEqual([['harvestman']])
  expect(await finding({ ...env, HARVESTMAN_EMBEDDING_KEY: 'other' })).toMatchObject({
    state: 'missing',
    message: expect.stringContaining('does not accept the key'),
    fix: 'Check HARVESTMAN_EMBEDDING_MODEL, HARVESTMAN_EMBEDDING_URL and HARVESTMAN_EMBEDDING_KEY.',
  })
  await server.close()
})

test('doctor searches an index in Postgres once, and names what to check', { tags: ['long'] }, async () => {
  const found = await finding({ HARVESTMAN_SEARCH_INDEX: 'postgres://a:secret@127.0.0.1:1/search' })
  expect(found).toMatchObject({ state: 'missing', fix: 'Check HARVESTMAN_SEARCH_INDEX and its database.' })
  expect(found?.message).not.toContain('secret')
})

test('doctor searches once, and names what to set', { tags: ['long'] }, async () => {
  const server = await startSearxngServer({ results: [{ url: 'https://a.example/', title: 'A' }] })
  expect(await finding({ SEARXNG_ENDPOINT: server.url })).toMatchObject({
    state: 'good',
    message: 'SearXNG returned 1 results',
  })
  server.script({ status: 403 })
  expect(await finding({ SEARXNG_ENDPOINT: server.url })).toMatchObject({
    state: 'missing',
    message: expect.stringContaining('search.formats'),
  })
  await server.close()
})
