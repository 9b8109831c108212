// Searches the index of a team: for pages, and for passages of pages.
import { linkTo } from '@harvestman/chunks'
import type { SearchHit, SearchQuery } from '@harvestman/ports'

import { conditionsOf, type Conditions } from './conditions.ts'
import { fuse } from './fuse.ts'
import { isUnfiltered, readFilters, type Filters } from './operators.ts'
import { bestPart, plainText, snippetOf } from './snippet.ts'
import type { FoundChunk, ModelVector } from './vectors.ts'
import { readTerms, type Terms } from './words.ts'

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

/** A page in an index. */
export interface PageRow {
  readonly url: string
  readonly title: string
  readonly markdown: string
  readonly version: string
  readonly at: number
}

/** A chunk in an index. */
export interface ChunkRow {
  readonly id: number
  readonly page: number
  readonly chunk: string
  readonly start: number
  readonly end: number
  readonly headings: readonly string[]
}

/** A search in an index, whose query was split into terms and filters. */
export interface PageSearch {
  readonly query: SearchQuery
  readonly terms: Terms
  readonly filters: Filters
  /** The filters, without the terms, as a condition on `pages`. */
  readonly conditions: Conditions
  readonly now: number
  readonly limit: number
}

/** A vector to compare, and whether a page or each chunk must contain the phrases of the query. */
export interface NearestTo {
  readonly vector: ModelVector
  readonly scope: 'page' | 'chunk'
}

/** A page that a search found, with its chunks in their order. */
export interface FoundPage {
  readonly row: PageRow
  readonly chunks: readonly ChunkRow[]
  /** The row of the chunk with the nearest vector. */
  readonly nearest: number | undefined
}

/**
 * Access to the pages and chunks of a team, by their ids. Unknown ids are absent in the results. Searches return ids, best first,
 * without pages that have an unwanted term.
 */
export interface FindingRows {
  pageRows(ids: readonly number[]): Promise<ReadonlyMap<number, PageRow>>
  chunkRows(ids: readonly number[]): Promise<ReadonlyMap<number, ChunkRow>>
  /** Returns the chunks of pages, in their order. */
  chunksOf(pages: readonly number[]): Promise<readonly ChunkRow[]>
  /** Returns the pages with all words, then pages with some of them. */
  pages(search: PageSearch): Promise<readonly number[]>
  /** Returns the newest pages, whatever their words. */
  newest(search: PageSearch): Promise<readonly number[]>
  /** Returns the chunks with some of the words. */
  passages(search: PageSearch): Promise<readonly number[]>
  /** Returns the chunks with the most similar vectors. Rejects when aborted. */
  nearest(search: PageSearch, to: NearestTo, signal: AbortSignal): Promise<readonly FoundChunk[]>
  /** Adds the chunks of these pages, unless they were added before. Rejects when aborted. */
  cut(pages: readonly number[], signal: AbortSignal): Promise<void>
}

/** Minimum length of the lists that are merged. */
const depth = 50
/** Maximum number of pages that a search for passages cuts. Pages that were cut before are searched, too. */
const likelyPages = 100
/** Chunks with the nearest vectors that are merged to pages. */
const nearestChunks = 200

/** Makes the hits of pages. Rejects when aborted. */
type Describe = (found: readonly FoundPage[], terms: Terms, signal: AbortSignal) => Promise<readonly SearchHit[]>

/**
 * Creates the search of an index. Pages expire after `life` milliseconds. `describe` makes the hits elsewhere, such as in another
 * thread.
 */
export function findingIn(
  rows: FindingRows,
  life: number,
  describe: Describe = async (found, terms) => hitsOf(found, terms),
): Finding {
  const searchOf = ({ query, now }: IndexQuery, limit: number): PageSearch => {
    const { words, filters } = readFilters(query.words)
    const conditions = conditionsOf({ query, filters, now, life })
    return { query, now, filters, terms: readTerms(words), conditions, limit }
  }
  const foundOf = async (ids: readonly number[], byVector: readonly FoundChunk[]): Promise<readonly FoundPage[]> => {
    const pages = await rows.pageRows(ids)
    const chunks = Map.groupBy(await rows.chunksOf(ids), ({ page }) => page)
    return ids.flatMap((id) => {
      const row = pages.get(id)
      const nearest = byVector.find((one) => one.page === id)?.id
      return row ? [{ row, chunks: chunks.get(id) ?? [], nearest }] : []
    })
  }
  return {
    find: async (asked, signal) => {
      const { query, vector } = asked
      const isHybrid = vector !== undefined && !query.newestFirst
      const search = searchOf(asked, isHybrid ? Math.max(depth, query.limit) : query.limit)
      const { terms, filters } = search
      const hasOnlyFilters = terms.wanted.length === 0 && !isUnfiltered(filters)
      const byWords = await (hasOnlyFilters ? rows.newest({ ...search, limit: query.limit }) : rows.pages(search))
      const byVector = isHybrid
        ? await rows.nearest({ ...search, limit: nearestChunks }, { vector, scope: 'page' }, signal)
        : []
      const ids = isHybrid ? fuse([byWords, [...new Set(byVector.map((one) => one.page))]], query.limit) : byWords
      await rows.cut(ids, signal)
      return describe(await foundOf(ids, byVector), terms, signal)
    },
    passages: async (asked, signal) => {
      const { query, vector } = asked
      const search = searchOf(asked, Math.max(depth, query.limit))
      await rows.cut(await rows.pages({ ...search, limit: likelyPages }), signal)
      const byWords = await rows.passages(search)
      const near = vector ? await rows.nearest(search, { vector, scope: 'chunk' }, signal) : []
      const ids = fuse([byWords, near.map((one) => one.id)], query.limit)
      const chunks = await rows.chunkRows(ids)
      const pages = await rows.pageRows([...new Set([...chunks.values()].map(({ page }) => page))])
      return ids.flatMap((id) => {
        const chunk = chunks.get(id)
        const owner = chunk && pages.get(chunk.page)
        return owner ? [passageOf(owner, chunk)] : []
      })
    },
  }
}

/** Returns the hit of each page, with its best chunk. */
export function hitsOf(found: readonly FoundPage[], terms: Terms): readonly SearchHit[] {
  return found.map((one) => hitOf(one, terms))
}

function hitOf({ row, chunks, nearest }: FoundPage, terms: Terms): SearchHit {
  const { url, title, markdown, at } = row
  const best = bestPart(
    chunks.map(({ start, end }) => markdown.slice(start, end)),
    terms,
  )
  const chosen = (best === undefined ? undefined : chunks[best]) ?? chunks.find(({ id }) => id === nearest) ?? chunks[0]
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
    headings: chunk.headings,
    ...citationOf(row, chunk),
    date: new Date(at).toISOString(),
  }
}
