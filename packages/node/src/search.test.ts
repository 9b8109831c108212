import { startSearxngServer } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { readConfig, type Environment } from './config.ts'
import { examine } from './doctor.ts'
import { openEngine } from './open.ts'

const finding = async (env: Environment) =>
  (await examine({ env: { HARVESTMAN_PORT: '0', ...env } })).find(({ name }) => name === 'search')

test('the names that people already set choose the instance, its engines and its categories', async () => {
  const server = await startSearxngServer({ results: [{ url: 'https://a.example/', title: 'A' }] })
  const env = { SEARXNG_ENDPOINT: server.url, SEARXNG_ENGINES: 'duckduckgo, qwant', SEARXNG_CATEGORIES: 'general,it' }
  const { engine, close } = openEngine(readConfig({ env }).config)
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

test('doctor searches once, and names what to set', async () => {
  const server = await startSearxngServer({ results: [{ url: 'https://a.example/', title: 'A' }] })
  expect(await finding({ SEARXNG_ENDPOINT: server.url })).toMatchObject({
    state: 'good',
    says: 'SearXNG answers with 1 results',
  })
  server.script({ status: 403 })
  expect(await finding({ SEARXNG_ENDPOINT: server.url })).toMatchObject({
    state: 'missing',
    says: expect.stringContaining('search.formats'),
  })
  await server.close()
})
