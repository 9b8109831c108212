import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import type { SearchQuery } from '@harvestman/ports'
import { openTeamIndex } from './database.ts'
import { toBytes } from './vectors.ts'

const { signal } = new AbortController()
const bounds = { pages: 100, bytes: 1_000_000, life: 1_000_000, vectors: 100 }
const page = {
  ...{ url: 'https://a.example/lamp', title: 'Lamp', markdown: 'A bright lamp.', at: 1 },
  ...{ language: 'en', version: '' },
}
const query: SearchQuery = {
  ...{ team: 'a', words: 'lamp', source: 'web', limit: 10, language: 'en', newestFirst: false },
  ...{ includeDomains: [], excludeDomains: [], categories: [] },
}

async function newFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'index-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'team.db')
}

async function pagesOf(file: string): Promise<number> {
  const index = openTeamIndex(file, bounds)
  try {
    return (await index.find({ query, now: 1 }, signal)).length
  } finally {
    index.close()
  }
}

function fill(file: string): void {
  const index = openTeamIndex(file, bounds)
  index.put([page])
  index.close()
}

test('an index that another process locks keeps its pages, and opening it fails', async () => {
  const file = await newFile()
  fill(file)
  const other = new DatabaseSync(file)
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  try {
    expect(() => openTeamIndex(file, bounds)).toThrow('locked')
  } finally {
    other.exec('ROLLBACK')
    other.close()
  }
  expect(await pagesOf(file)).toBe(1)
}, 20_000)

test('an index that is no database is replaced by an empty one', async () => {
  const file = await newFile()
  await writeFile(file, 'x'.repeat(8_192))
  expect(await pagesOf(file)).toBe(0)
  expect((await readFile(file, 'latin1')).startsWith('SQLite format 3')).toBe(true)
})

test('an index with another layout is replaced by an empty one', async () => {
  const file = await newFile()
  fill(file)
  const other = new DatabaseSync(file)
  other.exec('PRAGMA user_version = 99')
  other.close()
  expect(await pagesOf(file)).toBe(0)
})

test('a query with only filters lists the newest pages first', async () => {
  const index = openTeamIndex(await newFile(), bounds)
  const pages = ['one', 'two', 'three'].map((name, at) => ({ ...page, url: `https://a.example/${name}`, at }))
  index.put([pages[1]!, pages[2]!, pages[0]!])
  const hits = await index.find({ query: { ...query, words: 'site:a.example', limit: 2 }, now: 3 }, signal)
  expect(hits.map(({ url }) => url)).toEqual(['https://a.example/three', 'https://a.example/two'])
  index.close()
})

test('a page is cut into chunks when a query first needs them, and again after it has changed', async () => {
  const file = await newFile()
  const index = openTeamIndex(file, bounds)
  const chunks = () => {
    const database = new DatabaseSync(file)
    const count = database.prepare('SELECT count(*) AS n FROM chunks').get()?.['n']
    database.close()
    return count
  }
  const passages = async (words: string) =>
    (await index.passages({ query: { ...query, words }, now: 1 }, signal)).map(({ text }) => text)
  index.put([page, { ...page, url: 'https://a.example/rug', title: 'Rug', markdown: 'A soft rug.' }])
  expect(chunks()).toBe(0)
  expect(await passages('bright')).toEqual(['A bright lamp.'])
  expect(chunks()).toBe(1)
  index.put([{ ...page, markdown: 'A dim lamp.' }])
  expect(await passages('lamp')).toEqual(['A dim lamp.'])
  const pending = await index.pending('model', 10, signal)
  expect(pending.map(({ text }) => text).toSorted()).toEqual(['A dim lamp.', 'A soft rug.'])
  index.close()
})

test('an aborted search ends before all vectors were compared', async () => {
  const index = openTeamIndex(':memory:', { ...bounds, pages: 10_000, vectors: 10_000 })
  const pages = Array.from({ length: 1_500 }, (_, at) => ({
    ...{ ...page, url: `https://a.example/${at}`, markdown: `Lamp ${at}.`, at },
  }))
  index.put(pages)
  const vector = Float32Array.of(1, 0, 0)
  const pending = await index.pending('model', 10_000, signal)
  index.store(
    'model',
    pending.map(({ hash }) => ({ hash, vector: toBytes(vector) })),
  )
  const search = { query: { ...query, words: 'other' }, now: 1, vector: { model: 'model', vector } }
  expect(await index.passages(search, signal)).not.toEqual([])
  const controller = new AbortController()
  const found = index.passages(search, controller.signal)
  controller.abort(new Error('enough'))
  await expect(found).rejects.toThrow('enough')
  index.close()
})

test('a passage that is found by its vector contains the phrases of the query', async () => {
  const index = openTeamIndex(':memory:', bounds)
  const sections = ['Old lamps', 'Oak tables'].map((name) => `## ${name}\n\n${`The ${name} are sold. `.repeat(80)}`)
  index.put([{ ...page, markdown: sections.join('\n\n') }])
  const vector = Float32Array.of(1, 0, 0)
  for (const { hash } of await index.pending('model', 10, signal))
    index.store('model', [{ hash, vector: toBytes(vector) }])
  const search = { query: { ...query, words: '"oak tables"' }, now: 1, vector: { model: 'model', vector } }
  const found = await index.passages(search, signal)
  expect(found.length).toBeGreaterThan(0)
  for (const { text } of found) expect(text).toContain('Oak tables')
  index.close()
})
