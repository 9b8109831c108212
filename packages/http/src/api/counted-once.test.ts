// A request is counted where it is let in, before its body is read. The engine hears of that, and does not count it again.
import { live } from '@harvestman/live'
import { createEngine, endpointGroups, EngineError, memoryStore } from '@harvestman/core'
import type { Feature } from '@harvestman/core/plugin'
import { hosting } from '@harvestman/hosting'
import { data } from '@harvestman/data'
import { monitors } from '@harvestman/monitors'
import { records } from '@harvestman/record'
import { people } from '@harvestman/live/people'
import { scripts } from '@harvestman/live/scripts'
import { handClock, scriptedLLM, scriptedSearch } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { isLimited, type Route } from '../route/route.ts'
import { createApi } from './api.ts'
import { teamKeys } from '../callers/auth.ts'
import { deadLinks } from '../fixtures/dead-links.ts'
import { someId } from '../fixtures/fake-engine.ts'
import { routesOf } from './routes.ts'

const nothing = (): Promise<never> =>
  Promise.reject(new EngineError('browser_failed', 'Nothing is there in this test.'))
const close = async (): Promise<void> => undefined

/** An engine with a team whose every request is counted, by a key with limits of its own. */
async function setUp() {
  const store = memoryStore()
  const engine = createEngine({
    store,
    clock: handClock(),
    resolver: async () => [{ address: '93.184.215.14', family: 4 }],
    fetcher: () => ({ exchange: async () => ({ status: 404, headers: [], body: new Uint8Array() }), close }),
    llm: scriptedLLM([{ value: {} }]),
    search: scriptedSearch({ web: [] }),
    plugins: [
      deadLinks,
      hosting(),
      ...plugins,
      live({ sessions: () => ({ open: nothing, close }), sandbox: { open: nothing, close } }),
    ],
  })
  const limits = {
    requestsPerMinute: Object.fromEntries(
      [
        ...endpointGroups,
        'interact',
        'dead-links',
        'monitor',
        'datasets',
        'extractors',
        'records',
        'scripts',
        'status',
      ].map((group) => [group, 10]),
    ),
  }
  await engine.teams.create({ id: 'acme', limits })
  const { key, info } = await engine.teams.createKey('acme', { limits })
  return { engine, store, key, id: info.id }
}

function bodyOf({ takesFile, input, example }: Route): FormData | string | undefined {
  if (!takesFile) return input && JSON.stringify(example)
  const form = new FormData()
  form.set('file', new Blob(['<p>Text'], { type: 'text/html' }), 'a.html')
  return form
}

const plugins = [monitors(), data(), records(), scripts(), people()]
const features = plugins.flatMap((plugin): readonly Feature[] => plugin.features)
const counted = routesOf(deadLinks.jobs, features).filter((route) => isLimited(route.group) && !route.isOpen)

test.each(counted.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (_, route) => {
  const { engine, store, key, id } = await setUp()
  const body = bodyOf(route)
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
  const headers = { authorization: `Bearer ${key}`, ...type }
  const url = `http://localhost${route.path.replaceAll(/\{\w+\}/g, someId)}?url=https://a.test/`
  await createApi(engine, { authenticate: teamKeys(engine.teams) })(
    new Request(url, { method: route.method, headers, ...(body !== undefined && { body }) }),
  )
  const counts: Record<string, unknown> = {}
  for await (const entries of store.scan?.('rate/') ?? []) {
    for (const { key, value } of entries) counts[key.split('"')[1] ?? ''] = value
  }
  const as = route.rate ?? route.group
  expect(counts).toEqual({ [`key ${id} ${as}`]: 1, [`team acme ${as}`]: 1 })
  await engine.close()
})
