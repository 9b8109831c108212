// @module-tag long
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite/vector'
import { createEngine } from '@harvestman/core'
import type { Embeddings, EngineEvent } from '@harvestman/ports'
import { engineErrorOf, hashedVector, searchContract, withoutCases } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { pageIndex, type PageIndex } from '../src/index.ts'
import type { PostgresQueries } from '../src/pages/postgres-connection.ts'
import { indexContract } from './index-contract.ts'

const postgres = new PGlite({ extensions: { vector } })
beforeAll(async () => postgres.waitReady, 120_000)
afterAll(() => postgres.close())

let schemas = 0
const newPlace = () => {
  schemas += 1
  return { postgres, schema: `index_${schemas}` }
}

indexContract(newPlace)

/** Puts a page in as an engine does that has scraped it. */
async function put(index: PageIndex, url: string, { title = 'Page', markdown = '', team = 'a', at = Date.now() }) {
  // Cast: the parts of a context that the keeper reads.
  const context = { team, page: { url, status: 200 }, clock: { now: () => at } } as never
  await index.plugin.keepers[0]?.keep({ markdown, metadata: { title } }, context)
}

async function urlsOf(index: PageIndex, words: string, team = 'a'): Promise<readonly string[]> {
  const query = { team, words, source: 'web', limit: 100, language: 'en', newestFirst: false } as const
  const all = { ...query, includeDomains: [], excludeDomains: [], categories: [] }
  return (await index.find(all, new AbortController().signal)).map(({ url }) => url)
}

describe('an index in Postgres keeps the contract of the port', () => {
  const silent = 'a search that is silent rejects with the reason of the signal as soon as it is aborted'
  for (const { name, run } of withoutCases(searchContract, { [silent]: 'Postgres in the test answers at once' }))
    test(name, () =>
      run(async ({ pages }) => {
        const index = pageIndex(newPlace())
        if (pages === 'silence') throw new Error('not asked for')
        for (const { url, title, description = '' } of pages) await put(index, url, { title, markdown: description })
        return index
      }),
    )
})

describe('an index in Postgres', () => {
  test('does not return pages of another team', async () => {
    const index = pageIndex(newPlace())
    await put(index, 'https://a.example/', { markdown: 'A secret of ants.' })
    for (const team of ['b', 'A', 'a ', 'a\0', "a' OR 1=1"])
      expect(await urlsOf(index, 'secret ants', team)).toEqual([])
    expect(await urlsOf(index, 'secret ants')).toEqual(['https://a.example/'])
  })

  test('has the pages that another process has put into it', async () => {
    const place = newPlace()
    const [one, other] = [pageIndex(place), pageIndex(place)]
    await put(one, 'https://a.example/', { markdown: 'A lamp.' })
    await urlsOf(one, 'lamp')
    expect(await urlsOf(other, 'lamp')).toEqual(['https://a.example/'])
  })

  test('deletes the oldest pages beyond its limits, and pages that have expired', async () => {
    const index = pageIndex({ ...newPlace(), pages: 2, life: 1_000_000 })
    const now = Date.now()
    for (const [number, at] of [now - 2_000_000, now - 3, now - 2, now - 1].entries())
      await put(index, `https://a.example/${number}`, { markdown: 'A lamp.', at })
    expect((await urlsOf(index, 'lamp')).toSorted()).toEqual(['https://a.example/2', 'https://a.example/3'])
  })

  test('stores any characters, and long URLs', async () => {
    const index = pageIndex(newPlace())
    const url = `https://a.example/${'long/'.repeat(800)}`
    await put(index, url, { title: 'A\0B', markdown: 'Lamp \0 \uD800 東京の天気 café' })
    for (const words of ['lamp', 'cafe', '天気', '天', '"東京の"']) expect(await urlsOf(index, words)).toEqual([url])
  })

  test('ranks rare words above common ones', async () => {
    const index = pageIndex(newPlace())
    for (let number = 0; number < 20; number += 1)
      await put(index, `https://a.example/${number}`, { markdown: 'lamp lamp lamp lamp' })
    await put(index, 'https://a.example/rare', { markdown: 'One violet thing that is here. '.repeat(3) })
    expect((await urlsOf(index, 'lamp violet'))[0]).toBe('https://a.example/rare')
  })

  test('removes a page, or all pages of a team', async () => {
    const index = pageIndex(newPlace())
    const urls = ['https://a.example/1', 'https://a.example/2']
    for (const url of urls) await put(index, url, { markdown: 'A lamp.' })
    await index.forget({ team: 'a', url: urls[0] })
    expect(await urlsOf(index, 'lamp')).toEqual([urls[1]])
    await index.forget({ team: 'a' })
    expect(await urlsOf(index, 'lamp')).toEqual([])
  })

  test('rejects with search_unavailable while Postgres fails', async () => {
    const broken = { query: () => Promise.reject(new Error('connect ECONNREFUSED')) }
    const error = await engineErrorOf(urlsOf(pageIndex({ postgres: broken }), 'lamp'))
    expect(error.code).toBe('search_unavailable')
  })

  test('refuses the name of a schema that is not plain', () => {
    expect(() => pageIndex({ postgres, schema: 'x; DROP TABLE y' })).toThrow('not a valid name')
  })
})

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

  test('of another layout are replaced, beside tables of others', async () => {
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
    try {
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
    } finally {
      vi.useRealTimers()
    }
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

/** A model that records the texts that it embeds. */
function hashed(embedded: string[] = []): Embeddings {
  return {
    name: 'hashed',
    embed: async (texts) => {
      embedded.push(...texts)
      return {
        vectors: texts.map((text) => Float32Array.from(hashedVector(text))),
        usage: { inputTokens: 1, outputTokens: 0 },
      }
    },
  }
}

test('without the extension, an index finds pages by their words, and warns', async () => {
  const plain = new PGlite()
  const embedded: string[] = []
  const embeddings = hashed(embedded)
  const index = pageIndex({ postgres: plain, embeddings })
  const warnings: string[] = []
  const observer = (event: EngineEvent): void => {
    if (event.kind === 'warning') warnings.push(event.message)
  }
  const engine = createEngine({ search: index, plugins: [index.plugin], observer })
  await put(index, 'https://a.example/', { markdown: 'A lamp.' })
  await engine.search({ query: 'warm-up' }, { team: 'a' })
  expect(await urlsOf(index, 'lamp')).toEqual(['https://a.example/'])
  await index.embedded('a')
  expect(embedded).not.toContain('A lamp.')
  expect(warnings.join()).toMatch(/no extension vector.*Install pgvector/)
  await engine.close()
  await plain.close()
})
