import { createHash } from 'node:crypto'

import { defineKeeper, definePlugin, markdown, metadata, type Plugin } from '@harvestman/core/plugin'
import { type Embeddings, type Search, type SearchQuery } from '@harvestman/ports'

import { postgresBackend, type PostgresOptions } from './postgres-backend.ts'
import type { PostgresQueries } from './postgres-connection.ts'
import type { IndexBackend } from './backend.ts'
import { makeEmbedder, type Payment } from './embedder.ts'
import type { IndexQuery, Passage } from './finding.ts'
import { passagesFeature } from './passages-feature.ts'
import { queryVectors } from './query-vectors.ts'
import type { IndexedPage } from './rows.ts'
import { makeIndexThread } from './thread.ts'

/** Options of `pageIndex`. */
export interface PageIndexOptions {
  /** Folder of the index, with a file for each team. Default: in memory, lost when the process ends. */
  readonly folder?: string | undefined
  /**
   * A connection to Postgres, such as a pool of the package `pg`, for an index that several servers share. The index does not end
   * it. With `embeddings`, it needs the extension pgvector 0.7 or newer; a pool of at least 2 connections and pgvector 0.8 for HNSW
   * indexes of large teams.
   */
  readonly postgres?: PostgresQueries | undefined
  /** The schema in Postgres with the tables of the index. Default: `harvestman_search`. */
  readonly schema?: string | undefined
  /** Maximum number of pages per team. The oldest are removed. Default: 10,000, in memory 2,000. */
  readonly pages?: number | undefined
  /** Maximum total text size of a team's pages, in bytes. The oldest are removed. Default: 200 MB, in memory 20 MB. */
  readonly bytes?: number | undefined
  /** Maximum number of teams. The least recently used index is removed. Default: 1,000, in memory 16. No effect in Postgres. */
  readonly teams?: number | undefined
  /** How long a page can be found after it was scraped, in milliseconds. Default: 7 days. */
  readonly life?: number | undefined
  /** Maximum number of characters that are indexed per page. Default: 50,000. */
  readonly characters?: number | undefined
  /**
   * The model that embeds chunks of pages and queries, so that pages are also found by their meaning. Engines that share a
   * folder must have the same model. Default: none. Pages are found by their words.
   */
  readonly embeddings?: Embeddings | undefined
  /** Maximum number of chunks per team that are embedded. Default: 100,000, in memory 20,000. */
  readonly vectors?: number | undefined
}

/** A search for passages. */
export interface PassageQuery {
  readonly team: string
  readonly query: string
  /** Maximum number of passages. */
  readonly limit: number
}

/** A full-text index of the pages that an engine scrapes. */
export interface PageIndex extends Search {
  /** The plugin that adds scraped pages to the index: `createEngine({ search: index, plugins: [index.plugin] })`. */
  readonly plugin: Plugin<readonly [], readonly [], readonly [], readonly [ReturnType<typeof passagesFeature>]>
  /** Finds the passages of a team's pages that match a query best. */
  passages(query: PassageQuery, signal: AbortSignal): Promise<readonly Passage[]>
  /**
   * Resolves when all chunks of a team's pages have a vector, as far as `vectors` allows and the model accepts them, or when the
   * model fails. Resolves immediately without a model.
   */
  embedded(team: string): Promise<void>
  /** Removes one page of a team, or all of them if `url` is omitted. */
  forget(what: { readonly team: string; readonly url?: string | undefined }): Promise<void>
}

const onDisk = { pages: 10_000, bytes: 200_000_000, teams: 1_000, vectors: 100_000 }
const inMemory = { pages: 2_000, bytes: 20_000_000, teams: 16, vectors: 20_000 }
const week = 7 * 24 * 3_600_000

/**
 * Creates a search backend over the pages that each team has scraped itself. Teams do not see each other's pages. Pages that
 * cannot be written are reported as a warning; a search rejects with `search_unavailable` or `search_failed`. Pages expire
 * after `life` milliseconds, by default 7 days.
 */
export function pageIndex(options: PageIndexOptions = {}): PageIndex {
  const { characters = 50_000, embeddings } = options
  let warn: (message: string) => void = () => undefined
  let now = Date.now
  let reserve: (team: string) => Promise<Payment> = () => Promise.resolve(free)
  const backend = openBackend(options, {
    now: () => now(),
    warn: (text) => warn(text),
  })
  const embedder =
    embeddings && makeEmbedder({ embeddings, backend, reserve: (team) => reserve(team), warn: (text) => warn(text) })
  const keeper = keeperOf(characters, async (team, page) => {
    await backend.put(team, page)
    embedder?.wake(team)
  })
  const vectorOf = embeddings && queryVectors(embeddings, (text) => warn(text))
  const queryOf = async (query: SearchQuery, signal: AbortSignal): Promise<IndexQuery> => {
    const vector = await vectorOf?.(query.team, query.words, signal)
    // Pages of an earlier process may not be embedded yet.
    embedder?.wake(query.team)
    return { query, now: now(), ...(vector && { vector }) }
  }
  const passages: PageIndex['passages'] = async ({ team, query, limit }, signal) =>
    backend.passages(await queryOf({ ...unfiltered, team, words: query, limit }, signal), signal)
  return {
    name: 'the index of scraped pages',
    sources: ['web'],
    follows: ['time', 'newestFirst', 'category'],
    onlyIn:
      'Searched only the pages that this team has scraped here in the last days. To search the web, set SEARXNG_ENDPOINT to the URL of a SearXNG instance.',
    find: async (query, signal) => backend.find(await queryOf(query, signal), signal),
    passages,
    embedded: async (team) => {
      await embedder?.settled(team)
    },
    forget: async ({ team, url }) => {
      await backend.forget({ team, url: url === undefined ? undefined : (addressOf(url) ?? url) })
    },
    plugin: definePlugin({
      name: 'page-index',
      keepers: [keeper],
      features: [
        passagesFeature({
          find: ({ query, limit }, team, signal) => passages({ team, query, limit }, signal),
          opened: (payments) => {
            reserve = payments
          },
        }),
      ],
      open: (context) => {
        warn = (message) => context.warn(message)
        now = () => context.clock.now()
      },
      close: async () => {
        await embedder?.close()
        await backend.close()
      },
    }),
  }
}

/** Opens the place of the pages: a thread with files or memory, or Postgres. */
function openBackend(options: PageIndexOptions, context: Pick<PostgresOptions, 'now' | 'warn'>): IndexBackend {
  const { folder, postgres, schema, life = week, embeddings } = options
  checkPlace(options)
  const usual = folder === undefined && !postgres ? inMemory : onDisk
  const { pages = usual.pages, bytes = usual.bytes, teams = usual.teams, vectors = usual.vectors } = options
  const limits = { pages, bytes, life, vectors }
  if (!postgres)
    return makeIndexThread({ folder, teams, ...limits }, (why) =>
      context.warn(`Pages could not be put into the index: ${why}`),
    )
  return postgresBackend({
    ...limits,
    ...context,
    connection: postgres,
    schema: schema ?? 'harvestman_search',
    isHybrid: embeddings !== undefined,
  })
}

/** Throws if options for different places are combined. */
function checkPlace({ folder, postgres, schema }: PageIndexOptions): void {
  if (postgres && folder !== undefined)
    throw new TypeError(
      `The index cannot be in postgres and in the folder ${JSON.stringify(folder)}. Remove one of them.`,
    )
  if (!postgres && schema !== undefined)
    throw new TypeError(
      `schema ${JSON.stringify(schema)} has no effect without postgres. Add postgres, or remove schema.`,
    )
}

/** Creates the keeper that adds pages to the index. */
function keeperOf(characters: number, put: (team: string, page: IndexedPage) => Promise<void>) {
  return defineKeeper({
    name: 'page-index',
    needs: { markdown, metadata },
    keep: async ({ markdown, metadata }, { team, page, clock }) => {
      const url = addressOf(page.url)
      if (url === undefined || page.status >= 300 || markdown.trim() === '') return
      await put(team, {
        url,
        title: textOf(metadata['title']).slice(0, 1_000),
        language: /^[a-z]{2,3}\b/i.exec(textOf(metadata['language']))?.[0].toLowerCase() ?? '',
        markdown: markdown.slice(0, characters),
        version: createHash('sha256').update(markdown).digest('hex'),
        at: clock.now(),
      })
    },
  })
}

/** Nothing is charged for an index without an engine. */
const free: Payment = { settle: () => Promise.resolve(), release: () => Promise.resolve() }

const unfiltered = {
  source: 'web',
  ...{ language: 'en', newestFirst: false },
  ...{ includeDomains: [], excludeDomains: [], categories: [] },
} as const

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the URL without fragment and credentials, or `undefined` if it is not HTTP. */
function addressOf(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  url.hash = ''
  url.username = ''
  url.password = ''
  return url.href
}
