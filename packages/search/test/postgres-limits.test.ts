// @module-tag long
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite/vector'
import { engineErrorOf } from '@harvestman/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import { pageIndex } from '../src/index.ts'
import type { PostgresQueries } from '../src/pages/postgres-connection.ts'
import { hashed, put, urlsOf } from './postgres-pages.ts'

const postgres = new PGlite({ extensions: { vector } })
beforeAll(async () => postgres.waitReady, 120_000)
afterAll(() => postgres.close())

let schemas = 0
const newPlace = () => {
  schemas += 1
  return { postgres, schema: `index_${schemas}` }
}
afterEach(() => void vi.useRealTimers())

describe('the tables of an index in Postgres', () => {
  test('leave tables of others alone, with a message', async () => {
    const { schema } = newPlace()
    await postgres.exec(`
      CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.pages (text text); CREATE TABLE ${schema}.users (name text);
      INSERT INTO ${schema}.pages VALUES ('mine');`)
    const error = await engineErrorOf(urlsOf(pageIndex({ postgres, schema }), 'lamp'))
    expect(error.message).toMatch(/pages is not of an index.*Set "schema"/)
    expect(
      (await postgres.query(`SELECT text FROM ${schema}.pages, (SELECT count(*) FROM ${schema}.users)`)).rows,
    ).toEqual([{ text: 'mine' }])
  })

  test('of an older layout are replaced, beside tables of others', async () => {
    const place = newPlace()
    const { schema } = place
    const index = pageIndex(place)
    await put(index, 'https://a.example/', { markdown: 'A lamp.' })
    expect(await urlsOf(index, 'lamp')).toHaveLength(1)
    await postgres.exec(`
      CREATE TABLE ${schema}.users (name text); COMMENT ON TABLE ${schema}.pages IS 'harvestman search layout 0'`)
    const newer = pageIndex(place)
    expect(await urlsOf(newer, 'lamp')).toEqual([])
    await put(newer, 'https://a.example/', { markdown: 'A lamp.' })
    expect(await urlsOf(newer, 'lamp')).toHaveLength(1)
    expect((await postgres.query(`SELECT FROM ${schema}.users`)).rows).toEqual([])
  })

  test('of an earlier version of this layout are used with their pages and vectors', async () => {
    const place = { ...newPlace(), embeddings: hashed() }
    const { schema } = place
    const index = pageIndex(place)
    await put(index, 'https://a.example/', { markdown: 'A black lamp.' })
    await index.plugin.close?.()
    await postgres.exec(`INSERT INTO ${schema}.vectors VALUES ('a', 'stored', '[1,2]')`)
    await postgres.exec(`ALTER TABLE ${schema}.pages DROP COLUMN seams;
      COMMENT ON TABLE ${schema}.pages IS 'harvestman search layout 2';
      COMMENT ON TABLE ${schema}.vectors IS 'harvestman search layout 2'`)
    const newer = pageIndex(place)
    expect(await urlsOf(newer, '"black lamp"')).toEqual(['https://a.example/'])
    expect((await postgres.query(`SELECT FROM ${schema}.vectors WHERE hash = 'stored'`)).rows).toHaveLength(1)
    await put(newer, 'https://a.example/2', { markdown: 'A black lamp.' })
    expect(await urlsOf(newer, '"black lamp"')).toHaveLength(2)
  })

  test('of a newer layout are refused, with a message', async () => {
    const place = newPlace()
    const index = pageIndex(place)
    await put(index, 'https://a.example/', { markdown: 'A lamp.' })
    expect(await urlsOf(index, 'lamp')).toHaveLength(1)
    await postgres.exec(`COMMENT ON TABLE ${place.schema}.pages IS 'harvestman search layout 10'`)
    const error = await engineErrorOf(urlsOf(pageIndex(place), 'lamp'))
    expect(error.message).toMatch(/pages has layout 10, newer than \d\. Update @harvestman\/search, or set "schema"/)
    expect((await postgres.query(`SELECT FROM ${place.schema}.pages`)).rows).toHaveLength(1)
  })

  test('can be in a schema whose name is a reserved word, and need no right to create a schema that exists', async () => {
    await urlsOf(pageIndex({ postgres, schema: 'user' }), 'lamp')
    await postgres.exec(`CREATE ROLE plain_user; GRANT USAGE ON SCHEMA "user" TO plain_user;
      GRANT SELECT ON ALL TABLES IN SCHEMA "user" TO plain_user; SET ROLE plain_user`)
    try {
      expect(await urlsOf(pageIndex({ postgres, schema: 'user' }), 'lamp')).toEqual([])
    } finally {
      await postgres.exec('RESET ROLE')
    }
  })
})

describe('writing to an index in Postgres', () => {
  test('headings that are cut within a character do not lose other pages', async () => {
    const index = pageIndex(newPlace())
    await put(index, 'https://a.example/1', { markdown: `# ${'x'.repeat(199)}😀\n\nA lamp.` })
    await put(index, 'https://a.example/2', { markdown: 'A lamp.' })
    expect(await urlsOf(index, 'lamp')).toHaveLength(2)
  })

  test('pages are written although Postgres rejects the values of one of them', async () => {
    const place = newPlace()
    const refusing: PostgresQueries = {
      query: async (text, values) => {
        if (text.includes('INSERT INTO') && String(values?.[1]).includes('/refused'))
          throw Object.assign(new Error('string is too long for tsvector'), { code: '54000' })
        return postgres.query(text, values)
      },
    }
    const index = pageIndex({ ...place, postgres: refusing })
    for (const path of ['1', '2', 'refused', '3', '4'])
      await put(index, `https://a.example/${path}`, { markdown: 'A lamp.' })
    expect((await urlsOf(index, 'lamp')).map((url) => url.slice(-1)).toSorted()).toEqual(['1', '2', '3', '4'])
  })

  test('the vectors of replaced, expired and forgotten chunks are deleted', async () => {
    const place = newPlace()
    const index = pageIndex({ ...place, embeddings: hashed(), vectors: 3, life: 1_000_000 })
    const hashes = async (): Promise<number> =>
      (await postgres.query(`SELECT FROM ${place.schema}.vectors`)).rows.length
    for (let number = 0; number < 8; number += 1) {
      await put(index, 'https://a.example/', { markdown: `Lamp number ${number}.` })
      await index.embedded('a')
      expect(await hashes()).toBe(1)
    }
    await put(index, 'https://a.example/old', { markdown: 'An old lamp.', team: 'b' })
    await index.embedded('b')
    expect(await hashes()).toBe(2)
    // In a new process, the first page that is put in deletes the expired pages of all teams.
    await postgres.query(`UPDATE ${place.schema}.pages SET at = 0 WHERE url LIKE '%old'`)
    const other = pageIndex({ ...place, life: 1_000_000 })
    await put(other, 'https://a.example/new', { markdown: 'A new lamp.', team: 'c' })
    await other.plugin.close?.()
    expect(await hashes()).toBe(1)
    await other.forget({ team: 'a' })
    expect(await hashes()).toBe(0)
  })
})

describe('a long page in Postgres', () => {
  // More words than a tsvector has positions for, in many chunks, with a phrase at each of many places.
  const numbers = Array.from({ length: 18_000 }, (_, at) => `word${at}`)
  const rows = Array.from({ length: 1_800 }, (_, at) => numbers.slice(at * 10, at * 10 + 10).join(' '))
  const markdown = `The first lamp.\n\n${rows.join('\n\n')}\n\n${'the lamp '.repeat(300)}\n\nThe amber harvestman.`

  test('is found by phrases after word 16,383, also across chunks and of frequent words, and by no others', async () => {
    const index = pageIndex({ ...newPlace(), characters: 400_000 })
    await put(index, 'https://a.example/', { markdown })
    const isFound = async (query: string) => (await urlsOf(index, query)).length === 1
    expect(await isFound('"the amber harvestman"')).toBe(true)
    expect(await isFound('lamp "amber harvestman"')).toBe(true)
    expect(await isFound('"harvestman amber"')).toBe(false)
    expect(await isFound('lamp -"amber harvestman"')).toBe(false)
    expect(await isFound('lamp -"harvestman amber"')).toBe(true)
    // One of these phrases crosses the end of each chunk.
    for (let at = 16_500; at < 17_500; at += 3)
      expect([at, await isFound(`"${numbers.slice(at, at + 4).join(' ')}"`)]).toEqual([at, true])
  })
})

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Loops': number
  readonly Plans?: readonly PlanNode[]
}

/** Returns how often each part of a plan reads the pages. */
function scansOf(node: PlanNode): readonly number[] {
  const own = node['Relation Name'] === 'pages' ? [node['Actual Loops']] : []
  return [...own, ...(node.Plans ?? []).flatMap(scansOf)]
}

describe('ranking in Postgres', () => {
  test('a rare phrase after word 16,383 ranks above common words', async () => {
    const index = pageIndex({ ...newPlace(), characters: 400_000 })
    const words = Array.from({ length: 18_000 }, (_, at) => `word${at}`).join(' ')
    await put(index, 'https://a.example/phrase', { markdown: `${words}\n\nThe amber harvestman.` })
    for (let number = 0; number < 20; number += 1)
      await put(index, `https://a.example/${number}`, { markdown: 'A lamp.' })
    expect((await urlsOf(index, 'lamp "amber harvestman"'))[0]).toBe('https://a.example/phrase')
  })

  test('the pages of a term are counted once, not for each page found', async () => {
    const place = newPlace()
    const statements: [string, unknown[] | undefined][] = []
    const noting: PostgresQueries = {
      query: (text, values) => {
        if (text.includes('ts_rank')) statements.push([text, values])
        return postgres.query(text, values)
      },
    }
    const index = pageIndex({ ...place, postgres: noting })
    for (let number = 0; number < 20; number += 1)
      await put(index, `https://a.example/${number}`, { markdown: 'A black lamp.' })
    expect(await urlsOf(index, 'black lamp')).toHaveLength(20)
    const [text = '', values] = statements[0] ?? []
    const { rows } = await postgres.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
    const [{ 'QUERY PLAN': plan }] = rows as [{ 'QUERY PLAN': [{ Plan: PlanNode }] }]
    // Once for each of two terms.
    expect(Math.max(...scansOf(plan[0].Plan))).toBe(2)
  })
})

describe('while Postgres does not answer', () => {
  const silent: PostgresQueries = { query: () => new Promise(() => undefined) }

  test('an aborted search rejects at once', async () => {
    const index = pageIndex({ postgres: silent })
    const abort = new AbortController()
    const found = index.passages({ team: 'a', query: 'lamp', limit: 1 }, abort.signal)
    abort.abort(new Error('enough'))
    await expect(found).rejects.toThrow('enough')
  })

  test('a search and a removal fail after a deadline, and closing ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const index = pageIndex({ postgres: silent })
    const found = engineErrorOf(urlsOf(index, 'lamp'))
    await vi.advanceTimersByTimeAsync(31_000)
    expect((await found).code).toBe('search_unavailable')
    await put(index, 'https://a.example/', { markdown: 'A lamp.' })
    const removed = engineErrorOf(index.forget({ team: 'a' }))
    await vi.advanceTimersByTimeAsync(31_000)
    expect((await removed).code).toBe('search_unavailable')
    await put(index, 'https://a.example/', { markdown: 'A lamp.' })
    const closed = index.plugin.close?.()
    await vi.advanceTimersByTimeAsync(11_000)
    await closed
  })

  test('a search finds earlier pages if a later one is not written in time', async () => {
    const place = newPlace()
    let isSlow = false
    const slow: PostgresQueries = {
      query: (text, values) =>
        isSlow && text.includes('INSERT INTO') ? new Promise(() => undefined) : postgres.query(text, values),
    }
    const index = pageIndex({ ...place, postgres: slow })
    await put(index, 'https://a.example/1', { markdown: 'A lamp.' })
    expect(await urlsOf(index, 'lamp')).toHaveLength(1)
    isSlow = true
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await put(index, 'https://a.example/2', { markdown: 'A lamp.' })
    const found = urlsOf(index, 'lamp')
    await vi.advanceTimersByTimeAsync(6_000)
    expect(await found).toEqual(['https://a.example/1'])
  })

  test('a search waits only for pages of its team', async () => {
    const place = newPlace()
    await urlsOf(pageIndex(place), 'lamp')
    const partly: PostgresQueries = {
      query: (text, values) =>
        text.includes('INSERT INTO') && String(values?.[1]).includes('slow.example')
          ? new Promise(() => undefined)
          : postgres.query(text, values),
    }
    const index = pageIndex({ ...place, postgres: partly })
    await put(index, 'https://slow.example/', { markdown: 'A lamp.', team: 'slow' })
    void urlsOf(index, 'lamp', 'slow').catch(() => undefined)
    await put(index, 'https://a.example/', { markdown: 'A lamp.' })
    expect(await urlsOf(index, 'lamp')).toEqual(['https://a.example/'])
  })
})

test('a search reads all of its pages with few statements', async () => {
  const place = newPlace()
  let statements = 0
  const counting: PostgresQueries = {
    query: (text, values) => {
      statements += 1
      return postgres.query(text, values)
    },
  }
  const index = pageIndex({ ...place, postgres: counting })
  for (let number = 0; number < 30; number += 1)
    await put(index, `https://a.example/${number}`, { markdown: `A lamp ${number}.` })
  await urlsOf(index, 'lamp')
  statements = 0
  expect(await urlsOf(index, 'lamp')).toHaveLength(30)
  expect(statements).toBeLessThan(6)
})

test('a filter may contain characters that Postgres cannot store', async () => {
  const index = pageIndex(newPlace())
  await put(index, 'https://a.example/a%00b', { markdown: 'A lamp.' })
  expect(await urlsOf(index, 'lamp path:/a%00b')).toHaveLength(1)
})

test('options of different places are rejected', () => {
  expect(() => pageIndex({ postgres, folder: '/tmp/x' })).toThrow('Remove one of them')
  expect(() => pageIndex({ schema: 'x' })).toThrow('no effect without postgres')
})
