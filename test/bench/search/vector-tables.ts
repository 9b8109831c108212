// Tables of an index in Postgres with made-up vectors, for vectors.ts.
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { queryFor } from '@harvestman/testing'

import { conditionsOf } from '../../../packages/search/src/pages/conditions.ts'
import { readFilters } from '../../../packages/search/src/pages/operators.ts'
import {
  runnerOf,
  vectorProblem,
  type PostgresQueries,
} from '../../../packages/search/src/pages/postgres-connection.ts'
import { postgresRows } from '../../../packages/search/src/pages/postgres-search.ts'
import { setUp } from '../../../packages/search/src/pages/postgres-tables.ts'
import { createNearestFunction, makeVectorIndexes } from '../../../packages/search/src/pages/postgres-vector-indexes.ts'
import { vectorRows } from '../../../packages/search/src/pages/postgres-vectors.ts'
import { readTerms } from '../../../packages/search/src/pages/words.ts'
import type { postgresWithVectors } from '../../../packages/search/test/postgres-with-vectors.ts'

type Postgres = ReturnType<typeof postgresWithVectors>

/** The chunks that a query found, and its CPU time in milliseconds. */
export interface Scanned {
  readonly ids: readonly number[]
  readonly time: number
}

const schema = '"bench"'
const model = 'made-up'
const chunksPerPage = 10

/** Creates the tables. `build` is the only way to get an HNSW index. */
export async function openVectors(postgres: Postgres, dimensions: number, centers: number) {
  const client = {
    query: ({ text, values }: { readonly text: string; readonly values: unknown[] }) => postgres.query(text, values),
    release: () => undefined,
  }
  const connection: PostgresQueries = { query: (text, values) => postgres.query(text, values) }
  const run = runnerOf(connection)
  const problem = await vectorProblem(run)
  if (problem !== undefined) throw new Error(problem)
  await run(setUp(schema, true))
  const parts = { schema, warn: (message: string) => console.error(message) }
  await createNearestFunction(run, schema, parts.warn)
  const pool: PostgresQueries = { ...connection, connect: async () => client, totalCount: 1 }
  const indexes = makeVectorIndexes({ ...parts, connection: pool, from: 1 })
  const vectors = vectorRows(run, schema, Infinity, { maintain: () => undefined, close: async () => undefined })
  const makeVector = vectorMaker(dimensions, centers)
  const keyOf = (team: string): string => hash('sha256', team, 'base64')
  return {
    makeVector,
    /** Adds pages with so many chunks and their vectors. */
    fill: async (name: string, count: number): Promise<void> => {
      const team = keyOf(name)
      for (let done = 0; done < count; done += 500) {
        await addPages(postgres, team, Math.min(500, count - done))
        const { rows } = await postgres.query<{ hash: string }>(
          `SELECT DISTINCT hash FROM ${schema}.chunks WHERE team = $1 AND pending`,
          [team],
        )
        await postgres.query(`INSERT INTO ${schema}.models VALUES ($1, $2) ON CONFLICT DO NOTHING`, [team, model])
        await vectors.store({ team, model, vectors: rows.map((row) => ({ hash: row.hash, vector: makeVector() })) })
      }
    },
    /** Removes the newest chunks of a team beyond so many. */
    remove: async (name: string, left: number): Promise<void> => {
      const team = keyOf(name)
      await postgres.query(
        `DELETE FROM ${schema}.vectors WHERE team = $1 AND hash IN (
           SELECT hash FROM ${schema}.chunks WHERE team = $1 ORDER BY id OFFSET $2)`,
        [team, left],
      )
      await postgres.exec('VACUUM ANALYZE')
    },
    build: async (name: string, count: number): Promise<void> => {
      const team = keyOf(name)
      indexes.maintain(team, count)
      const probe = { model, vector: makeVector() }
      while ((await vectors.scanFor(team, probe)) !== 'index') await sleep(100)
    },
    nearest: async (name: string, vector: Float32Array, words: string, limit: number): Promise<Scanned> => {
      const query = queryFor({ words, limit, team: name })
      const { filters } = readFilters(words)
      const now = Date.now()
      const search = {
        ...{ query, filters, now, limit, terms: readTerms('') },
        conditions: conditionsOf({ query, filters, now, life: 1e12 }),
      }
      const rows = postgresRows({ run, schema, team: keyOf(name), vectors })
      const before = process.cpuUsage()
      const to = { vector: { model, vector }, scope: 'chunk' as const }
      const found = await rows.nearest(search, to, new AbortController().signal)
      const { user, system } = process.cpuUsage(before)
      return { ids: found.map(({ id }) => id), time: (user + system) / 1_000 }
    },
    close: () => indexes.close(),
  }
}

/** Adds pages: 1 % of them on one host, 20 % on another. */
async function addPages(postgres: Postgres, team: string, chunks: number): Promise<void> {
  await postgres.query(
    `WITH added AS (
       INSERT INTO ${schema}.pages (team, key, url, host, path, language, at, bytes, title, markdown, version, words)
       SELECT $1::text, gen_random_uuid()::text, 'https://a.example/', CASE WHEN random() < 0.01 THEN 'small.example'
         WHEN random() < 0.2 THEN 'other.example' ELSE 'a.example' END, '/', 'en', $2::float8, 1, '', '', '', ''
       FROM generate_series(1, $3::int) RETURNING id
     )
     INSERT INTO ${schema}.chunks (team, edition, page, chunk, "start", "end", headings, hash, pending, words)
     SELECT $1::text, 0, added.id, 'c', 0, 1, '[]', gen_random_uuid()::text, true, ''
     FROM added, generate_series(1, ${chunksPerPage})`,
    [team, Date.now(), Math.ceil(chunks / chunksPerPage)],
  )
}

/** Returns a function that makes vectors of length 1 around random centers. The sequence is always the same. */
function vectorMaker(dimensions: number, count: number): () => Float32Array {
  let state = 42
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return (state + 1) / 2_147_483_649
  }
  const normal = (): number => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())
  const centers = Array.from({ length: count }, () => Float32Array.from({ length: dimensions }, normal))
  return () => {
    const center = centers[Math.floor(random() * centers.length)] ?? new Float32Array(dimensions)
    const around = center.map((value) => value + 0.8 * normal())
    const length = Math.hypot(...around)
    return around.map((value) => value / length)
  }
}
