// The searches of an index in SQLite, which return ids of pages and chunks.
import type { DatabaseSync } from 'node:sqlite'

import { wantsAll, withoutUnwanted, withPhrases, withPhrasesInChunk, type Conditions } from './conditions.ts'
import type { ChunkRow, FindingRows, PageRow, PageSearch } from './finding.ts'
import { isUnfiltered } from './operators.ts'
import type { Vectors } from './vectors.ts'
import { matchOf } from './words.ts'

const pageRank = 'bm25(words, 8.0, 2.0, 1.0)'
const passageRank = 'bm25(passages, 3.0, 2.0, 1.0)'

interface SearchParts {
  readonly vectors: Vectors
  /** Adds the chunks of these pages to the index. */
  cut(pages: readonly number[], signal: AbortSignal): Promise<void>
  /** Time in milliseconds after which pages expire. */
  readonly life: number
}

/** Opens the searches of an index. */
export function sqliteRows(database: DatabaseSync, { vectors, cut, life }: SearchParts): FindingRows {
  const page = database.prepare('SELECT url, title, markdown, version, at FROM pages WHERE id = ?')
  const chunk = database.prepare('SELECT id, page, chunk, start, end, headings FROM chunks WHERE id = ?')
  const chunksOf = database.prepare(
    'SELECT id, page, chunk, start, end, headings FROM chunks WHERE page = ? ORDER BY start',
  )
  return {
    cut,
    pageRows: async (ids) => present(ids, (id) => page.get(id) as PageRow | undefined),
    chunkRows: async (ids) => present(ids, (id) => chunkOf(chunk.get(id))),
    chunksOf: async (pages) => pages.flatMap((id) => chunksOf.all(id).flatMap((row) => chunkOf(row) ?? [])),
    pages: pageSearch(database, life),
    newest: async ({ terms, conditions, limit }) => {
      const { where, values } = withoutUnwanted(conditions, terms)
      return database
        .prepare(`SELECT pages.id AS id FROM pages WHERE ${where} ORDER BY pages.at DESC, pages.id DESC LIMIT ?`)
        .all(...values, limit)
        .map(({ id }) => id as number)
    },
    passages: async ({ terms, conditions, limit }) => {
      const match = matchOf(terms, 'any')
      if (match === undefined) return []
      const { where, values } = withoutUnwanted(conditions, terms)
      const from = 'passages JOIN chunks ON chunks.id = passages.rowid JOIN pages ON pages.id = chunks.page'
      const order = `ORDER BY ${passageRank} LIMIT ?`
      return database
        .prepare(`SELECT chunks.id AS id FROM ${from} WHERE passages MATCH ? AND ${where} ${order}`)
        .all(match, ...values, limit)
        .map(({ id }) => id as number)
    },
    nearest: ({ terms, conditions, limit }, { vector, scope }, signal) => {
      const allowed = withoutUnwanted(conditions, terms)
      const all = scope === 'page' ? withPhrases(allowed, terms) : withPhrasesInChunk(allowed, terms)
      return vectors.nearest(vector, limit, all, signal)
    },
  }
}

/** Returns the rows that exist, by their ids. */
function present<Row>(ids: readonly number[], read: (id: number) => Row | undefined): ReadonlyMap<number, Row> {
  return new Map(
    ids.flatMap((id) => {
      const row = read(id)
      return row === undefined ? [] : [[id, row] as const]
    }),
  )
}

function chunkOf(row: Record<string, unknown> | undefined): ChunkRow | undefined {
  // Cast: the columns of the statements above.
  return row && ({ ...row, headings: JSON.parse(row['headings'] as string) as unknown } as ChunkRow)
}

function pageSearch(database: DatabaseSync, life: number): FindingRows['pages'] {
  const oldest = database.prepare('SELECT min(at) AS at FROM pages')
  const plain = database.prepare(`SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY ${pageRank} LIMIT ?`)
  const idsOf = (match: string | undefined, search: PageSearch, conditions: Conditions): readonly number[] => {
    if (match === undefined) return []
    const { query, filters, terms, limit, now } = search
    // Filtering each row takes most of the time of a query for a common word.
    const isPlain = isUnfiltered(filters) && wantsAll(query) && terms.unwanted.length === 0
    const first = isPlain ? oldest.get()?.['at'] : undefined
    if (typeof first === 'number' && first >= now - life) return plain.all(match, limit).map(({ id }) => id as number)
    const { where, values } = conditions
    const order = query.newestFirst ? 'pages.at DESC' : pageRank
    const from = 'words JOIN pages ON pages.id = words.rowid'
    return database
      .prepare(`SELECT pages.id AS id FROM ${from} WHERE words MATCH ? AND ${where} ORDER BY ${order} LIMIT ?`)
      .all(match, ...values, limit)
      .map(({ id }) => id as number)
  }
  return async (search) => {
    const { terms, limit } = search
    const conditions = withoutUnwanted(search.conditions, terms)
    const ids = new Set(idsOf(matchOf(terms, 'all'), search, conditions))
    // Pages with all words come first, then pages with some of them.
    const isShort = ids.size < limit && terms.loose.length > 1
    for (const id of isShort ? idsOf(matchOf(terms, 'any'), search, conditions) : []) if (ids.size < limit) ids.add(id)
    return [...ids]
  }
}
