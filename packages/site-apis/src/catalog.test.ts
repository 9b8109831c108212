import type { PluginStore } from '@harvestman/core/plugin'
import type { Value } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { catalogIn } from './catalog.ts'
import { recipeProblem, type Recipe } from './recipe.ts'

const recipe: Recipe = {
  ...{ version: 1, page: 'https://a.example/lamps', parameters: [], visitsPage: false, tokens: [], schema: {} },
  request: { method: 'GET', url: 'https://a.example/api', query: [], headers: {} },
  items: { in: 'json', path: [], fields: ['name'] },
}

/** A store that has only the methods that catalogs use here. */
function emptyStore(): PluginStore {
  const values = new Map<string, Value>()
  const store: Pick<PluginStore, 'update' | 'get'> = {
    get: async (key) => values.get(key),
    update: async (key, change) => {
      const value = change(values.get(key))
      if (value === undefined) values.delete(key)
      else values.set(key, value)
      return value
    },
  }
  return store as PluginStore
}

test('an invalid recipe does not hide the other recipes of its host', async () => {
  const good = { id: 'a.example~1', host: 'a.example', learnedAt: 0, browserRequests: 2, recipe }
  const values = new Map<string, string>([
    ['site-apis', JSON.stringify(['a.example'])],
    ['site-apis/a.example', JSON.stringify([{ ...good, recipe: { version: 2 } }, good])],
  ])
  const store: Pick<PluginStore, 'get'> = { get: async (key) => values.get(key) }
  expect(await catalogIn(store as PluginStore, () => 0).list(1)).toEqual({ apis: [good] })
})

test('recipes that are too large or that do not fit the schema have a problem', () => {
  const withValue = (value: string): Recipe => ({ ...recipe, request: { ...recipe.request, query: [['a', value]] } })
  expect(recipeProblem(withValue('b'))).toBeUndefined()
  expect(recipeProblem(withValue('b'.repeat(9_000)))).toContain('request.query.0')
  expect(recipeProblem(withValue('b'.repeat(70_000)))).toContain('The limit is 65536.')
})

test('simultaneous failures of a recipe count as one', async () => {
  const catalog = catalogIn(emptyStore(), () => 0)
  const read = await catalog.put(recipe, 2)
  await Promise.all(Array.from({ length: 12 }, () => catalog.noteFailure(read, 'No items.')))
  const failed = await catalog.find(read.id)
  expect(failed?.failing).toMatchObject({ failures: 1, retryAt: 60_000 })
  if (failed) await catalog.noteFailure(failed, 'No items.')
  expect((await catalog.find(read.id))?.failing).toMatchObject({ failures: 2, retryAt: 120_000 })
})

test('site APIs are listed by host, page by page, also if a host is deleted meanwhile', async () => {
  const catalog = catalogIn(emptyStore(), () => 0)
  for (const host of ['c.example', 'a.example', 'b.example', 'd.example'])
    await catalog.put({ ...recipe, page: `https://${host}/` }, 2)
  const hostsOf = ({ apis }: Awaited<ReturnType<typeof catalog.list>>) => apis.map(({ host }) => host)
  const first = await catalog.list(2)
  expect([hostsOf(first), first.next]).toEqual([['a.example', 'b.example'], 'b.example'])
  for (const { id } of first.apis) await catalog.delete(id)
  const second = await catalog.list(2, first.next)
  expect([hostsOf(second), second.next]).toEqual([['c.example', 'd.example'], undefined])
})
