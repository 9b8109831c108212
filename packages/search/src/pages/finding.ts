// Searches the index of a team: for pages, and for passages of pages.
import type { DatabaseSync } from 'node:sqlite'

import { linkTo } from '@harvestman/chunks'
import type { SearchHit, SearchQuery } from '@harvestman/ports'

import {
  conditionsOf,
  wantsAll,
  withoutUnwanted,
  withPhrases,
  withPhrasesInChunk,
  type Conditions,
} from './conditions.ts'
import { fuse } from './fuse.ts'
import { isUnfiltered, readFilters } from './operators.ts'
import { bestPart, plainText, snippetOf } from './snippet.ts'
import type { ModelVector, Vectors } from './vectors.ts'
import { matchOf, readTerms, type Terms } from './words.ts'

/** A passage of a page. */
export interface Passage {
  readonly url: string
  readonly title: string
  /** The URL with a fragment that opens the page at the passage. */
  readonly link: string
  /** The Markdown of the passage. */
  readonly text: string
  readonly headings: readonly string[]
  /** The id of the chunk. The format `chunks` returns the same by default. */
  readonly chunk: string
  /** Offsets in the Markdown of the page. */
  readonly start: number
  readonly end: number
  /** SHA-256 of the Markdown. */
  readonly hash: string
  /** Time of scraping, ISO 8601. */
  readonly date: string
}

/** A query with the time of the search, and with its vector if there is a model. */
export interface IndexQuery {
  readonly query: SearchQuery
  readonly now: number
  readonly vector?: ModelVector | undefined
}

export interface Finding {
  /** Rejects when aborted. */
  find(query: IndexQuery, signal: AbortSignal): Promise<readonly SearchHit[]>
  /** Rejects when aborted. */
  passages(query: IndexQuery, signal: AbortSignal): Promise<readonly Passage[]>
}

const pageRank = 'bm25(words, 8.0, 2.0, 1.0)'
const passageRank = 'bm25(passages, 3.0, 2.0, 1.0)'
/** Minimum length of the lists that are merged. */
const depth = 50
/** Maximum number of pages that a search for passages cuts. Pages that were cut before are searched, too. */
const likelyPages = 100
/** Chunks with the nearest vectors that are merged to pages. */
const nearestChunks = 200

type PageRow = {
  readonly url: string
  readonly title: string
  readonly markdown: string
  readonly version: string
  readonly at: number
}

type ChunkRow = {
  readonly page: number
  readonly chunk: string
  readonly start: number
  readonly end: number
  readonly headings: string
}

interface FindingParts {
  readonly vectors: Vectors
  /** Adds the chunks of these pages to the index. */
  cut(pages: readonly number[], signal: AbortSignal): Promise<void>
  /** Time in milliseconds after which pages expire. */
  readonly life: number
}

/** Opens the search of an index. */
export function findingIn(database: DatabaseSync, { vectors, cut, life }: FindingParts): Finding {
  const page = database.prepare('SELECT url, title, markdown, version, at FROM pages WHERE id = ?')
  const chunk = database.prepare('SELECT page, chunk, start, end, headings FROM chunks WHERE id = ?')
  const chunksOf = database.prepare(
    'SELECT page, chunk, start, end, headings FROM chunks WHERE page = ? ORDER BY start',
  )
  const pageOf = (id: number) => page.get(id) as PageRow | undefined
  const pagesIn = pageSearch(database, life)
  const plan = ({ query, now }: IndexQuery) => {
    const { words, filters } = readFilters(query.words)
    const terms = readTerms(words)
    const conditions = withoutUnwanted(conditionsOf({ query, filters, now, life }), terms)
    const isPlain = isUnfiltered(filters) && wantsAll(query) && terms.unwanted.length === 0
    return { terms, filters, conditions, isPlain }
  }
  return {
    find: async (asked, signal) => {
      const { query, vector } = asked
      const { terms, filters, conditions, isPlain } = plan(asked)
      const isHybrid = vector !== undefined && !query.newestFirst
      const limit = isHybrid ? Math.max(depth, query.limit) : query.limit
      const byWords =
        terms.wanted.length === 0 && !isUnfiltered(filters)
          ? newestPages(database, conditions, query.limit)
          : pagesIn({ terms, limit, conditions: isPlain ? undefined : conditions, ...asked })
      const byVector = isHybrid
        ? await vectors.nearest(vector, nearestChunks, withPhrases(conditions, terms), signal)
        : []
      const ids = isHybrid ? fuse([byWords, [...new Set(byVector.map((one) => one.page))]], query.limit) : byWords
      await cut(ids, signal)
      return ids.flatMap((id) => {
        const row = pageOf(id)
        const nearest = byVector.find((one) => one.page === id)?.id
        const chunks = chunksOf.all(id) as ChunkRow[]
        return row
          ? [hitOf(row, chunks, nearest === undefined ? undefined : (chunk.get(nearest) as ChunkRow), terms)]
          : []
      })
    },
    passages: async (asked, signal) => {
      const { query, vector } = asked
      const { terms, conditions } = plan(asked)
      const limit = Math.max(depth, query.limit)
      await cut(pagesIn({ terms, limit: likelyPages, conditions, ...asked }), signal)
      const match = matchOf(terms, 'any')
      const byWords = match === undefined ? [] : passagesIn(database, match, conditions, limit)
      const near = vector ? await vectors.nearest(vector, limit, withPhrasesInChunk(conditions, terms), signal) : []
      return fuse([byWords, near.map(({ id }) => id)], query.limit).flatMap((id) => {
        const row = chunk.get(id) as ChunkRow | undefined
        const owner = row && pageOf(row.page)
        return owner ? [passageOf(owner, row)] : []
      })
    },
  }
}

interface PageSearch {
  readonly terms: Terms
  readonly query: SearchQuery
  readonly now: number
  readonly limit: number
  /** Absent if there are no filters. */
  readonly conditions: Conditions | undefined
}

function pageSearch(database: DatabaseSync, life: number): (search: PageSearch) => readonly number[] {
  const oldest = database.prepare('SELECT min(at) AS at FROM pages')
  const plain = database.prepare(`SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY ${pageRank} LIMIT ?`)
  const idsOf = (match: string | undefined, search: PageSearch, all: Conditions): readonly number[] => {
    if (match === undefined) return []
    const { query, limit, conditions, now } = search
    // Filtering each row takes most of the time of a query for a common word.
    const first = oldest.get()?.['at']
    if (conditions === undefined && typeof first === 'number' && first >= now - life)
      return plain.all(match, limit).map(({ id }) => id as number)
    const { where, values } = conditions ?? all
    const order = query.newestFirst ? 'pages.at DESC' : pageRank
    const from = 'words JOIN pages ON pages.id = words.rowid'
    return database
      .prepare(`SELECT pages.id AS id FROM ${from} WHERE words MATCH ? AND ${where} ORDER BY ${order} LIMIT ?`)
      .all(match, ...values, limit)
      .map(({ id }) => id as number)
  }
  return (search) => {
    const { terms, limit, now } = search
    const all: Conditions = { where: 'pages.at >= ?', values: [now - life] }
    const ids = new Set(idsOf(matchOf(terms, 'all'), search, all))
    // Pages with all words come first, then pages with some of them.
    const isShort = ids.size < limit && terms.loose.length > 1
    for (const id of isShort ? idsOf(matchOf(terms, 'any'), search, all) : []) if (ids.size < limit) ids.add(id)
    return [...ids]
  }
}

function newestPages(database: DatabaseSync, { where, values }: Conditions, limit: number): readonly number[] {
  return database
    .prepare(`SELECT pages.id AS id FROM pages WHERE ${where} ORDER BY pages.at DESC, pages.id DESC LIMIT ?`)
    .all(...values, limit)
    .map(({ id }) => id as number)
}

function passagesIn(
  database: DatabaseSync,
  match: string,
  { where, values }: Conditions,
  limit: number,
): readonly number[] {
  const from = 'passages JOIN chunks ON chunks.id = passages.rowid JOIN pages ON pages.id = chunks.page'
  return database
    .prepare(`SELECT chunks.id AS id FROM ${from} WHERE passages MATCH ? AND ${where} ORDER BY ${passageRank} LIMIT ?`)
    .all(match, ...values, limit)
    .map(({ id }) => id as number)
}

function hitOf(row: PageRow, chunks: readonly ChunkRow[], nearest: ChunkRow | undefined, terms: Terms): SearchHit {
  const { url, title, markdown, at } = row
  const best = bestPart(
    chunks.map(({ start, end }) => markdown.slice(start, end)),
    terms,
  )
  const chosen = (best === undefined ? undefined : chunks[best]) ?? nearest ?? chunks[0]
  const text = chosen ? markdown.slice(chosen.start, chosen.end) : markdown
  return {
    url,
    title: title === '' ? url : title,
    description: snippetOf(plainText(text), terms),
    date: new Date(at).toISOString(),
    ...(chosen && { citation: citationOf(row, chosen) }),
  }
}

function citationOf({ url, markdown, version }: PageRow, { chunk, start, end }: ChunkRow) {
  return { link: linkTo(url, markdown.slice(start, end)), chunk, start, end, hash: version }
}

function passageOf(row: PageRow, chunk: ChunkRow): Passage {
  const { url, title, markdown, at } = row
  return {
    ...{ url, title: title === '' ? url : title, text: markdown.slice(chunk.start, chunk.end).trim() },
    headings: JSON.parse(chunk.headings) as readonly string[],
    ...citationOf(row, chunk),
    date: new Date(at).toISOString(),
  }
}
