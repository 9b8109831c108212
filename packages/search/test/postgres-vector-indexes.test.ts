// @module-tag long
import { queryFor } from '@harvestman/testing'
import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import type { IndexBackend } from '../src/pages/backend.ts'
import { postgresBackend } from '../src/pages/postgres-backend.ts'
import type { PostgresQueries } from '../src/pages/postgres-connection.ts'
import type { PendingChunk } from '../src/pages/vectors.ts'
import { postgresWithVectors } from './postgres-with-vectors.ts'

const postgres = postgresWithVectors()
beforeAll(async () => postgres.waitReady, 120_000)
afterAll(async () => {
  for (const index of indexes) await index.close()
  await postgres.close()
})

const indexes: IndexBackend[] = []
let schemas = 0
const newSchema = () => {
  schemas += 1
  return `vectors_${schemas}`
}
interface OpenOptions {
  readonly from?: number
  readonly canBuild?: boolean
  /** Whether another process builds an index. */
  readonly isLocked?: boolean
  readonly pool?: Pick<PostgresQueries, 'totalCount' | 'options'>
  readonly schema?: string
}
/** An index whose teams get an HNSW index from 20 vectors on, with the statements that it runs. */
function open({
  from = 20,
  canBuild = true,
  isLocked = false,
  pool = { totalCount: 1 },
  schema = newSchema(),
}: OpenOptions = {}) {
  const statements: string[] = []
  const warnings: string[] = []
  const client = {
    query: async ({ text, values }: { text: string; values: unknown[] }) => {
      statements.push(text)
      if (isLocked && text.includes('pg_try_advisory_lock')) return { rows: [{ locked: false }] }
      if (!canBuild && text.includes('CREATE INDEX')) throw new Error('out of memory')
      return postgres.query(text.replace(/^SET \w+_timeout.*/, 'SELECT 1'), values)
    },
    release: (isDestroyed: boolean) => statements.push(`release ${isDestroyed}`),
  }
  const connection: PostgresQueries = {
    query: (text, values) => {
      statements.push(text)
      return postgres.query(text, values)
    },
    connect: async () => client,
    ...pool,
  }
  const index = postgresBackend({
    ...{ connection, schema, vectors: 1_000, isHybrid: true, indexedFrom: from },
    ...{ pages: 1_000, bytes: 1e9, life: 1e12, now: Date.now, warn: (message: string) => warnings.push(message) },
  })
  indexes.push(index)
  const { signal } = new AbortController()
  const embed = async (team: string, dimensions = 8, model = 'model') => {
    for (;;) {
      const chunks = await index.pending({ team, model, limit: 50 }, signal)
      if (chunks.length === 0) return
      await index.store({
        team,
        model,
        vectors: chunks.map((chunk) => ({ ...chunk, vector: vectorOf(chunk, dimensions) })),
      })
    }
  }
  const find = async (team: string, number: number, words = '', dimensions = 8) => {
    const query = queryFor({ words: `nothing${words}`, limit: 50, team })
    statements.length = 0
    const near = { model: 'model', vector: unit(number, dimensions) }
    const found = await index.passages({ query, now: Date.now(), vector: near }, signal)
    const scans = statements
      .filter((text) => text.includes('AS near'))
      .map((text) => (/nearest_vectors\w*\(/.test(text) ? 'index' : 'exact'))
    return { urls: found.map(({ url }) => url), scans }
  }
  const indexNames = async () =>
    (
      await postgres.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relnamespace = to_regnamespace('${schema}') AND relname LIKE 'nearest\\_%' AND relkind = 'i'`,
      )
    ).rows.map(({ name }) => name)
  /** Number of times that Postgres has used an HNSW index. */
  const indexScans = async () => {
    await postgres.query('SELECT pg_stat_force_next_flush()')
    const text = `SELECT sum(idx_scan)::int AS count FROM pg_stat_user_indexes WHERE schemaname = $1 AND indexrelname LIKE 'nearest%'`
    return (await postgres.query<{ count: number }>(text, [schema])).rows[0]?.count
  }
  return { index, schema, statements, warnings, embed, find, indexNames, indexScans }
}

/** The index in another process. */
const reopen = ({ schema }: ReturnType<typeof open>) => open({ schema })

/** A vector whose similarity to others decreases with the difference of their numbers. */
function unit(number: number, dimensions = 8): Float32Array {
  const angle = number / 100
  return Float32Array.from({ length: dimensions }, (_, at) =>
    at === 0 ? Math.cos(angle) : at === 1 ? Math.sin(angle) : 0,
  )
}
function vectorOf({ text }: PendingChunk, dimensions: number): Float32Array {
  return unit(Number(/number (\d+)/.exec(text)?.[1]), dimensions)
}

async function fill({ index }: ReturnType<typeof open>, team: string, numbers: readonly number[], host = 'a.example') {
  for (const number of numbers) {
    const markdown = `Page number ${number} of ${team}.`
    const page = { url: `https://${host}/${number}`, title: 'Page', markdown, language: 'en', at: Date.now() }
    await index.put(team, { ...page, version: hash('sha256', markdown) })
  }
}
const numbersTo = (count: number) => Array.from({ length: count }, (_, at) => at)

const urlsOf = (numbers: readonly number[], host = 'a.example') =>
  numbers.map((number) => `https://${host}/${number}`).toSorted()

/** Waits until indexes are built and dropped. */
const settled = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 50 })

test('a team with many vectors gets an index, which finds the same chunks as a comparison of all', async () => {
  const opened = open()
  await fill(opened, 'a', numbersTo(120))
  await fill(opened, 'b', numbersTo(10), 'b.example')
  await opened.embed('a')
  await opened.embed('b')
  await settled(async () => expect(await opened.indexNames()).toHaveLength(1))
  expect(opened.statements).toContain('release true')
  const { urls, scans } = await opened.find('a', 20.4)
  expect(scans).toEqual(['index'])
  expect(await opened.indexScans()).toBe(1)
  // Numbers of two bytes are not precise enough for the order of the nearest ones.
  expect(urls.toSorted()).toEqual(urlsOf(numbersTo(50)))
  expect(urlsOf(numbersTo(40).slice(5))).toEqual(expect.arrayContaining(urls.slice(0, 25)))
  const ofB = await opened.find('b', 4)
  expect({ ...ofB, urls: ofB.urls.toSorted() }).toEqual({ urls: urlsOf(numbersTo(10), 'b.example'), scans: ['exact'] })
})

test('a filter that few chunks pass loses no results', async () => {
  const opened = open()
  await fill(opened, 'a', numbersTo(120))
  await fill(opened, 'a', [130, 131, 140], 'rare.example')
  await opened.embed('a')
  await settled(async () => expect(await opened.indexNames()).toHaveLength(1))
  const { urls, scans } = await opened.find('a', 0.4, ' site:rare.example')
  expect(urls.toSorted()).toEqual(urlsOf([130, 131, 140], 'rare.example'))
  expect(scans).toEqual(['exact'])
})

test('a filter that half of the chunks pass loses no results, although the index returns too few of them', async () => {
  const opened = open()
  await fill(opened, 'a', numbersTo(60))
  await fill(
    opened,
    'a',
    numbersTo(60).map((number) => number + 60),
    'b.example',
  )
  await opened.embed('a')
  await settled(async () => expect(await opened.indexNames()).toHaveLength(1))
  const { urls, scans } = await opened.find('a', 119, ' site:a.example')
  expect(urls.toSorted()).toEqual(urlsOf(numbersTo(60).slice(10)))
  expect(scans).toEqual(['index', 'exact'])
  expect((await opened.find('a', 0, ' site:a.example')).scans).toEqual(['index'])
})

test('chunks that are not similar do not cause a comparison of all', async () => {
  const opened = open()
  await fill(opened, 'a', [...numbersTo(20), ...numbersTo(20).map((number) => number + 200)])
  await opened.embed('a')
  await settled(async () => expect(await opened.indexNames()).toHaveLength(1))
  const { urls, scans } = await opened.find('a', 0)
  expect({ urls: urls.toSorted(), scans }).toEqual({ urls: urlsOf(numbersTo(20)), scans: ['index'] })
})

test('the settings of a search by the index end with it', async () => {
  const opened = open()
  const settings = async () =>
    (
      await postgres.query(
        `SELECT current_setting('hnsw.iterative_scan'), current_setting('hnsw.ef_search') AS ef, current_setting('enable_sort') AS sort`,
      )
    ).rows
  await fill(opened, 'a', numbersTo(120))
  await opened.embed('a')
  await settled(async () => expect(await opened.indexNames()).toHaveLength(1))
  const before = await settings()
  expect((await opened.find('a', 1)).scans).toEqual(['index'])
  expect(await settings()).toEqual(before)
})

test('a model with other dimensions gets another index, and the earlier one is dropped', async () => {
  const opened = open()
  await fill(opened, 'a', numbersTo(120))
  await opened.embed('a')
  await settled(async () => expect(await opened.indexNames()).toHaveLength(1))
  const [first] = await opened.indexNames()
  await opened.embed('a', 6, 'other')
  const other = reopen(opened)
  await other.embed('a', 6, 'other')
  await settled(async () => expect(await opened.indexNames()).toEqual([first?.replace(/_8$/, '_6')]))
})

test('vectors with too many dimensions have no index', async () => {
  const wide = open()
  await fill(wide, 'a', numbersTo(21))
  await wide.embed('a', 4_001)
  await settled(async () => expect(wide.statements.join()).toContain('pg_stat_progress'))
  for (let time = 0; time < 10; time += 1) await postgres.query('SELECT 1')
  expect(wide.statements.join()).not.toContain('CREATE INDEX CONCURRENTLY')
  expect(await wide.indexNames()).toEqual([])
  expect(wide.warnings).toEqual([])
})

test.each([
  ['a client, which has connect but is not a pool', {}],
  ['a pool of one connection, which searches would wait for', { totalCount: 1, options: { max: 1 } }],
])('nothing is built on %s', async (_name, pool) => {
  const opened = open({ pool })
  await fill(opened, 'a', numbersTo(21))
  await opened.embed('a')
  await opened.index.close()
  expect(opened.statements.join()).not.toMatch(/starts_with\(relname|pg_stat_progress|release/)
  expect(opened.warnings).toEqual([])
})

test('nothing is built while another process holds the lock', async () => {
  const opened = open({ isLocked: true, pool: { totalCount: 1, options: { max: 2 } } })
  await fill(opened, 'a', numbersTo(21))
  await opened.embed('a')
  await settled(async () => expect(opened.statements).toContain('release true'))
  expect(opened.statements.join()).not.toMatch(/CREATE INDEX CONCURRENTLY|pg_advisory_unlock/)
  expect(opened.warnings).toEqual([])
  expect((await opened.find('a', 4)).scans).toEqual(['exact'])
})

test('the lock is held during the build, and released before the connection is ended', async () => {
  const opened = open()
  await fill(opened, 'a', numbersTo(21))
  await opened.embed('a')
  await settled(async () => expect(opened.statements).toContain('release true'))
  const steps = [
    'pg_try_advisory_lock',
    'pg_stat_progress',
    'CREATE INDEX CONCURRENTLY',
    'pg_advisory_unlock',
    'release true',
  ]
  const order = opened.statements.flatMap((text) => steps.filter((step) => text.includes(step)))
  expect(order.slice(order.indexOf('pg_try_advisory_lock'))).toEqual(steps)
})

test('a user who may not create functions can search, with one warning and without an index', async () => {
  const { schema, index } = open()
  await index.forget({ team: 'a' })
  await postgres.exec(`DROP FUNCTION "${schema}".nearest_vectors_1; CREATE ROLE app; GRANT USAGE ON SCHEMA "${schema}" TO app;
    GRANT ALL ON ALL TABLES IN SCHEMA "${schema}" TO app; SET ROLE app`)
  try {
    const opened = open({ schema })
    await fill(opened, 'a', numbersTo(21))
    await opened.embed('a')
    expect((await opened.find('a', 4)).scans).toEqual(['exact'])
    await opened.index.close()
    expect(opened.statements.join()).not.toContain('CREATE INDEX CONCURRENTLY')
    expect(opened.warnings).toEqual([expect.stringMatching(/nearest_vectors_1.*Grant CREATE.*permission denied/)])
  } finally {
    await postgres.exec('RESET ROLE')
  }
})

test('an index that cannot be built is a warning, and searches compare all vectors', async () => {
  const opened = open({ canBuild: false })
  await fill(opened, 'a', numbersTo(120))
  await opened.embed('a')
  await settled(async () => expect(opened.warnings.join()).toMatch(/could not be built.*out of memory/))
  expect(opened.statements).toContain('release true')
  expect((await opened.find('a', 4)).scans).toEqual(['exact'])
})

test('an index that a failed build has left is built again', async () => {
  const opened = open()
  await fill(opened, 'a', numbersTo(120))
  await opened.embed('a')
  await settled(async () => expect(await opened.indexNames()).toHaveLength(1))
  await postgres.query(
    `UPDATE pg_index SET indisvalid = false WHERE indexrelid = '${opened.schema}.${(await opened.indexNames())[0]}'::regclass`,
  )
  expect((await opened.find('a', 4)).scans).toEqual(['exact'])
  const other = reopen(opened)
  await other.embed('a')
  await settled(async () => expect((await other.find('a', 4)).scans).toEqual(['index']))
})
