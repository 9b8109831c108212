import { createEngine } from '@harvestman/core'
import type { PluginStore } from '@harvestman/core/plugin'
import type { Fetcher, Value } from '@harvestman/ports'
import { describe, expect, test } from 'vitest'

import { data } from '../plugin.ts'
import type { ChunkChanges } from './changes.ts'
import { compareChunks } from './compare.ts'
import { pageOf } from './feature.ts'
import { lastVisit, storeVisit, visitsKey } from './visits.ts'

const marks = (ids: string) => ids.split('').map((id) => ({ id, headings: [] }))

test.each([
  ['abc', 'abc', '', '', '', 3],
  ['abc', 'axc', '', 'bx', '', 2],
  ['abc', 'abxc', 'x', '', '', 3],
  ['abc', 'ac', '', '', 'b', 2],
  ['abcd', 'axd', '', 'bx', 'c', 2],
  ['abc', 'xabc', 'x', '', '', 3],
  ['abc', 'cba', '', '', '', 3],
  ['', 'ab', 'ab', '', '', 0],
  ['ab', '', '', '', 'ab', 0],
])('from %j to %j, %j is added, %j is changed and %j is removed', (before, now, added, changed, removed, same) => {
  const delta = compareChunks(marks(before), marks(now))
  const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id).join('')
  expect([ids(delta.added), delta.changed.map(([old, one]) => old.id + one.id).join(''), ids(delta.removed)]).toEqual([
    ...[added, changed, removed],
  ])
  expect(delta.same).toBe(same)
})

test('a chunk changes into the one below the same headings', () => {
  const below = (id: string, heading: string) => ({ id, headings: ['Shop', heading] })
  const { added, changed, removed } = compareChunks(
    [below('a', 'Lamps'), below('b', 'Chairs'), below('c', 'Tables')],
    [below('x', 'Beds'), below('y', 'Tables')],
  )
  expect(changed.map(([before, now]) => before.id + now.id)).toEqual(['cy', 'ax'])
  expect([added, removed.map(({ id }) => id)]).toEqual([[], ['b']])
})

/** A site of pages by path, each a list of paragraphs, and an engine that crawls it. */
function bench() {
  const pages = new Map<string, readonly string[]>()
  const statuses = new Map<string, number>()
  const fetcher = (): Fetcher => ({
    exchange: async ({ url }) => {
      const { pathname } = new URL(url)
      const paragraphs = pages.get(pathname)
      const links = [...pages.keys()].map((path) => `<a href="${path}">${path}</a>`).join(' ')
      const body = `<main>${(paragraphs ?? ['Missing']).map((text) => `<h2>${text}</h2><p>About ${text}.</p>`).join('')}</main><nav>${links}</nav>`
      return {
        status: statuses.get(pathname) ?? (paragraphs ? 200 : 404),
        headers: [['content-type', 'text/html']],
        body: new TextEncoder().encode(body),
      }
    },
    close: async () => undefined,
  })
  const resolver = async () => [{ address: '93.184.215.14', family: 4 as const }]
  const engine = createEngine({ fetcher, resolver, plugins: [data()] })
  const start = (format: object = {}, team = 'one') =>
    engine.unchecked.crawl(
      { url: 'http://shop.test/', scrapeOptions: { formats: [{ type: 'chunkChanges', by: 'heading', ...format }] } },
      { team },
    )
  const crawl = async (format: object = {}, team = 'one') => {
    const job = await start(format, team)
    await job.end()
    const found: Record<string, ChunkChanges | undefined> = {}
    for await (const document of job.documents())
      found[new URL(document.metadata.sourceURL).pathname] = document['chunkChanges'] as ChunkChanges | undefined
    return { id: job.id, found }
  }
  return { pages, statuses, engine, start, crawl }
}

const first = (changes: ChunkChanges | undefined) => ({
  added: changes?.added.map(({ headings }) => headings[0]),
  changed: changes?.changed.map(({ headings }) => headings[0]),
  removed: changes?.removed.map(({ headings }) => headings[0]),
  same: changes?.same,
})

describe('the format chunkChanges', () => {
  test('returns the chunks that were added, changed and removed since the last crawl', async () => {
    const { pages, crawl } = bench()
    pages.set('/', ['Lamps', 'Chairs', 'Tables']).set('/a', ['Soap'])
    const { found } = await crawl()
    expect(first(found['/'])).toEqual({ added: ['Lamps', 'Chairs', 'Tables'], changed: [], removed: [], same: 0 })
    pages.set('/', ['Lamps', 'Stools', 'Tables', 'Beds'])
    const second = (await crawl()).found
    expect(first(second['/'])).toEqual({ added: ['Beds'], changed: ['Stools'], removed: [], same: 2 })
    expect(second['/']?.changed[0]).toMatchObject({
      text: '## Stools\n\nAbout Stools.',
      previousId: found['/']?.added[1]?.id,
    })
    expect(first(second['/a'])).toEqual({ added: [], changed: [], removed: [], same: 1 })
    expect(second['/a']?.previous?.scrapeId).toBeDefined()
  })

  test('returns all chunks of a page as removed once it is gone, also if no page links to it', async () => {
    const { pages, crawl } = bench()
    pages.set('/', ['Lamps']).set('/a', ['Soap', 'Towels'])
    await crawl()
    pages.delete('/a')
    expect(first((await crawl()).found['/a'])).toEqual({ added: [], changed: [], removed: ['Soap', 'Towels'], same: 0 })
    pages.set('/a', ['Soap'])
    expect(first((await crawl()).found['/a'])).toEqual({ added: ['Soap'], changed: [], removed: [], same: 0 })
  })

  test('does not compare a page with an error, and compares the next visit with the one before', async () => {
    const { pages, statuses, crawl } = bench()
    pages.set('/', ['Lamps']).set('/a', ['Soap'])
    await crawl()
    statuses.set('/a', 400)
    expect((await crawl()).found['/a']).toBeUndefined()
    statuses.delete('/a')
    expect(first((await crawl()).found['/a'])).toEqual({ added: [], changed: [], removed: [], same: 1 })
  })

  test('compares the visits of each team and each tag separately', async () => {
    const { pages, crawl } = bench()
    pages.set('/', ['Lamps'])
    await crawl()
    expect(first((await crawl({}, 'two')).found['/']).added).toEqual(['Lamps'])
    expect(first((await crawl({ tag: 'other' })).found['/']).added).toEqual(['Lamps'])
    expect(first((await crawl()).found['/']).same).toBe(1)
  })

  test('compares nothing and stores nothing with zero data retention', async () => {
    const { pages, engine } = bench()
    pages.set('/', ['Lamps'])
    const scrape = (zeroDataRetention: boolean) =>
      engine.unchecked.scrape(
        { url: 'http://shop.test/', formats: ['markdown', { type: 'chunkChanges' }], zeroDataRetention },
        { team: 'one' },
      )
    const { warning } = await scrape(true)
    expect(warning).toContain('zero data retention')
    expect((await scrape(false)).chunkChanges).toMatchObject({ previous: null })
  })
})

function memoryStore() {
  const values = new Map<string, Value>()
  const store: PluginStore = {
    get: async (key) => values.get(key),
    set: async (key, value) => void values.set(key, value),
    update: async (key, change) => {
      const value = change(values.get(key))
      if (value !== undefined) values.set(key, value)
      return value
    },
    delete: async (key) => void values.delete(key),
  }
  return { store, values }
}

test('a job that loads a page again after a crash compares with the visit before its own', async () => {
  const { store } = memoryStore()
  const key = visitsKey('http://shop.test/', null, undefined)
  for (const [index, by] of ['first', 'second', 'second'].entries())
    await storeVisit(store, key, { by, scrapeId: `${index}`, at: index, chunks: marks('abc') })
  const [again, next] = [await lastVisit(store, key, 'second'), await lastVisit(store, key, 'third')]
  expect([again?.scrapeId, next?.scrapeId]).toEqual(['0', '1'])
})

test('an update of the visits of a page does not read or write their chunks, and old visits are deleted', async () => {
  const { store, values } = memoryStore()
  const sizes: number[] = []
  const measured: PluginStore = {
    ...store,
    update: (key, change) =>
      store.update(key, (old) => {
        const value = change(old)
        sizes.push(JSON.stringify([old, value]).length)
        return value
      }),
  }
  const chunks = Array.from({ length: 500 }, (_, index) => ({ id: `chunk ${index}`, headings: ['Heading'] }))
  for (const by of ['a', 'b', 'c', 'd', 'e'])
    await storeVisit(measured, 'key', { by, scrapeId: `scrape ${by}`, at: 1, chunks })
  expect(Math.max(...sizes)).toBeLessThan(1_000)
  expect(values.size).toBe(4)
  expect((await lastVisit(store, 'key', 'e'))?.chunks).toEqual(chunks)
})

describe('the changes of a job', () => {
  test('are a list in pages, with each change once', async () => {
    const { pages, engine, crawl } = bench()
    for (let number = 0; number < 7; number += 1)
      pages.set(number === 0 ? '/' : `/${number}`, [`Lamp ${number}`, `Chair ${number}`])
    const { id } = await crawl()
    const seen: string[] = []
    let after: string | undefined
    do {
      const { data, next } = await engine.chunks.changes(
        id,
        { limit: 3, ...(after !== undefined && { after }) },
        { team: 'one' },
      )
      seen.push(...data.map(({ change, chunk }) => `${change} ${chunk?.headings[0]}`))
      after = next
    } while (after !== undefined)
    expect(seen.toSorted()).toEqual(
      ['Chair', 'Lamp'].flatMap((kind) => [0, 1, 2, 3, 4, 5, 6].map((at) => `added ${kind} ${at}`)),
    )
  })

  test('are at most 10 MB in a response, and a larger one is alone', async () => {
    const chunk = (id: string, text: string) => {
      const place = { url: 'http://shop.test/', size: 1, start: 0, end: 1, overlap: 0 }
      return { id, text, headings: [], ...place }
    }
    const documents = ['a', 'b', 'c'].map((id) => ({
      metadata: { sourceURL: `http://shop.test/${id}` },
      chunkChanges: {
        ...{ previous: null, changed: [], removed: [], same: 0 },
        added: [
          chunk(`${id}1`, 'x'.repeat(4_000_000)),
          chunk(`${id}2`, 'x'.repeat(id === 'c' ? 11_000_000 : 4_000_000)),
        ],
      },
    }))
    const responses: string[] = []
    let next: string | undefined = '0.0'
    while (next !== undefined) {
      const [document = 0, change = 0] = next.split('.').map(Number)
      const rest = (async function* () {
        yield* documents.slice(document) as never[]
      })()
      const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(rest, { document, change }, 1_000)
      responses.push(page.data.map(({ id }) => id).join(' '))
      next = page.next
    }
    expect(responses).toEqual(['a1 a2', 'b1 b2', 'c1', 'c2'])
  })

  test('stop to be yielded when the call is aborted', async () => {
    const { pages, engine, start } = bench()
    pages.set('/', ['Lamps'])
    const { id } = await start()
    const list = engine.chunks.changesOf(id, { team: 'one', signal: AbortSignal.abort(new Error('no more')) })
    await expect(list.next()).rejects.toThrow('no more')
  })

  test('are yielded while the job runs', async () => {
    const { pages, engine, start } = bench()
    pages.set('/', ['Lamps']).set('/a', ['Soap'])
    const { id } = await start()
    const seen: string[] = []
    for await (const { change, headings } of engine.chunks.changesOf(id, { team: 'one' }))
      seen.push(`${change} ${headings[0]}`)
    expect(seen.toSorted()).toEqual(['added Lamps', 'added Soap'])
  })

  test('are not found by another team', async () => {
    const { pages, engine, crawl } = bench()
    pages.set('/', ['Lamps'])
    const { id } = await crawl()
    await expect(engine.chunks.changes(id, {}, { team: 'two' })).rejects.toMatchObject({ code: 'not_found' })
  })
})
