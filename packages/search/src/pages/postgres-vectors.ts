// The vectors of chunks in Postgres. A search compares all vectors of a team, unless the team has an index.
import type { PendingQuery, StoredVectors } from './backend.ts'
import { embeddedText } from './cut.ts'
import type { ModelVector, PendingChunk } from './vectors.ts'
import type { Rows, Run } from './postgres-connection.ts'
import { hasIndex, type VectorIndexes } from './postgres-vector-indexes.ts'

/** How to search vectors: not at all, because they are of another model, all of them, or by the index of the team. */
export type VectorScan = 'none' | 'exact' | 'index'

export interface VectorRows {
  pending(wanted: PendingQuery): Promise<readonly PendingChunk[]>
  store(vectors: StoredVectors): Promise<void>
  /**
   * Returns how to compare the vectors of a team with another one. If the model has other dimensions than before, deletes them,
   * and their chunks are pending again.
   */
  scanFor(team: string, vector: ModelVector): Promise<VectorScan>
}

/** Opens the vectors of all teams, each of which has at most `limit`. */
export function vectorRows(run: Run, schema: string, limit: number, indexes: VectorIndexes): VectorRows {
  const reset = async (team: string): Promise<void> => {
    await run(`DELETE FROM ${schema}.vectors WHERE team = $1`, [team])
    await run(`UPDATE ${schema}.chunks SET pending = true WHERE team = $1 AND NOT pending`, [team])
  }
  const setModel = async (team: string, model: string): Promise<void> => {
    const changed = await run(
      `INSERT INTO ${schema}.models AS m (team, name) VALUES ($1, $2)
       ON CONFLICT (team) DO UPDATE SET name = excluded.name, dimensions = NULL WHERE m.name <> excluded.name RETURNING team`,
      [team, model],
    )
    if (changed.length > 0) await reset(team)
  }
  const setDimensions = async (team: string, model: string, dimensions: number): Promise<boolean> => {
    const changed = await run(
      `UPDATE ${schema}.models SET dimensions = $3::int WHERE team = $1 AND name = $2 AND dimensions IS DISTINCT FROM $3::int
       RETURNING team`,
      [team, model, dimensions],
    )
    if (changed.length > 0) await reset(team)
    return changed.length > 0
  }
  const modelOf = (team: string) => modelRow(run, schema, team)
  return {
    pending: async ({ team, model, limit: wanted }) => {
      await setModel(team, model)
      const [total] = await run(`SELECT count(*) AS count FROM ${schema}.vectors WHERE team = $1`, [team])
      const count = Number(total?.['count'] ?? 0)
      indexes.maintain(team, count)
      const free = Math.min(wanted, limit - count)
      return free <= 0 ? [] : pendingChunks(run, schema, team, free)
    },
    store: async ({ team, model, vectors }) => {
      const [first] = vectors
      if (!first || (await modelOf(team))?.['name'] !== model) return
      await setDimensions(team, model, first.vector.length)
      const hashes = vectors.map(({ hash }) => hash)
      const texts = vectors.map(({ vector }) => JSON.stringify([...vector]))
      // The lock of the row delays another process that sets another model, and then deletes these vectors.
      await run(
        `WITH model AS (SELECT FROM ${schema}.models WHERE team = $1 AND name = $4 AND dimensions = $5::int FOR SHARE)
         INSERT INTO ${schema}.vectors (team, hash, vector)
         SELECT $1::text, x.hash, x.vector::halfvec FROM model, unnest($2::text[], $3::text[]) AS x (hash, vector)
         WHERE EXISTS (SELECT FROM ${schema}.chunks c WHERE c.team = $1 AND c.hash = x.hash)
         ON CONFLICT (team, hash) DO UPDATE SET vector = excluded.vector`,
        [team, hashes, texts, model, first.vector.length],
      )
      await run(
        `UPDATE ${schema}.chunks c SET pending = false WHERE team = $1 AND hash = ANY($2::text[])
         AND EXISTS (SELECT FROM ${schema}.vectors v WHERE v.team = c.team AND v.hash = c.hash)`,
        [team, hashes],
      )
    },
    scanFor: async (team, { model, vector }) => {
      const known = await modelOf(team)
      if (known?.['name'] !== model) return 'none'
      if (known['dimensions'] === vector.length) return known['indexed'] === true ? 'index' : 'exact'
      return (await setDimensions(team, model, vector.length)) ? 'none' : 'exact'
    },
  }
}

/** Returns the model of a team's vectors, their dimensions, and whether they have an index. */
async function modelRow(run: Run, schema: string, team: string): Promise<Rows[number] | undefined> {
  const columns = `name, dimensions, ${hasIndex(schema, team, 'dimensions')} AS indexed`
  return (await run(`SELECT ${columns} FROM ${schema}.models WHERE team = $1`, [team]))[0]
}

async function pendingChunks(run: Run, schema: string, team: string, limit: number): Promise<readonly PendingChunk[]> {
  const rows = await run(
    `SELECT c.hash, min(c.id) AS id FROM ${schema}.chunks c
     JOIN ${schema}.pages p ON p.id = c.page AND p.edition = c.edition
     WHERE c.team = $1 AND c.pending GROUP BY c.hash ORDER BY 2 LIMIT $2`,
    [team, limit],
  )
  const chunks = await run(
    `SELECT c.hash, c.headings, c."start", c."end", c.page FROM ${schema}.chunks c
     JOIN ${schema}.pages p ON p.id = c.page AND p.edition = c.edition
     WHERE c.team = $1 AND c.id = ANY($2::bigint[]) ORDER BY c.id`,
    [team, rows.map(({ id }) => String(id))],
  )
  const pages = await run(`SELECT id, markdown FROM ${schema}.pages WHERE team = $1 AND id = ANY($2::bigint[])`, [
    team,
    [...new Set(chunks.map(({ page }) => String(page)))],
  ])
  const texts = new Map(pages.map(({ id, markdown }) => [String(id), markdown as string]))
  return chunks.flatMap((row) => {
    const text = texts.get(String(row['page']))
    if (text === undefined) return []
    const part = text.slice(row['start'] as number, row['end'] as number)
    return [{ hash: row['hash'] as string, text: embeddedText(row['headings'] as readonly string[], part) }]
  })
}
