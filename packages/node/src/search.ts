import type { Plugin } from '@harvestman/core/plugin'
import type { Search } from '@harvestman/ports'
import { EngineError } from '@harvestman/ports'

import { environmentNames } from './setting-variables.ts'
import type { Config } from './settings.ts'
import { embeddingsOf } from './llm.ts'
import { isForMany, isPostgresUrl, openPostgres, sqliteFileOf } from './services.ts'

/** A search port, and the plugin that indexes pages for it, if it searches scraped pages. */
export interface OpenedSearch {
  readonly search?: Search
  readonly plugins: readonly Plugin[]
  /** Whether searches need a connection to a database. */
  readonly isInPostgres?: boolean
}

/**
 * Returns the search port of a configuration; none if searching is off. `serves` means that the process stays up, which makes
 * an index in memory useful. Rejects with `not_configured` if the endpoint of the search or of the embedding model is invalid, if
 * an index is requested (`on`) for a Redis store, or if the package for Postgres is not installed.
 */
export async function openSearch(config: Config, serves: boolean): Promise<OpenedSearch> {
  const { searxngEndpoint: endpoint, searxngEngines: engines, searxngCategories: categories } = config
  const place = endpoint === undefined ? indexPlace(config, serves) : undefined
  if (endpoint === undefined && !place) return { plugins: [] }
  const { pageIndex, searxng } = await import('@harvestman/search')
  if (endpoint !== undefined) return { search: searxng({ endpoint, engines, categories }), plugins: [] }
  const embeddings = await embeddingsOf(config)
  if (place?.postgres === undefined) {
    const index = pageIndex({ folder: place?.folder, embeddings })
    return { search: index, plugins: [index.plugin] }
  }
  const { definePlugin } = await import('@harvestman/core/plugin')
  const postgres = await openPostgres(place.postgres)
  const index = pageIndex({ postgres, embeddings })
  // Plugins are closed in reverse order: the index before its connections.
  const connections = definePlugin({ name: 'page-index-connections', close: () => postgres.end() })
  return { search: index, plugins: [connections, index.plugin], isInPostgres: true }
}

/** Returns a warning if the embedding settings have no effect in a server; otherwise `undefined`. */
export function unusedEmbedding(config: Config): string | undefined {
  const { embeddingModel, embeddingUrl, embeddingKey, searxngEndpoint } = config
  if ([embeddingModel, embeddingUrl, embeddingKey].every((value) => value === undefined)) return undefined
  const noEffect = `${environmentNames.embeddingModel[0]} and its endpoint have no effect`
  if (searxngEndpoint !== undefined)
    return `${noEffect}, because searches use SearXNG. Remove SEARXNG_ENDPOINT to search the index of scraped pages, or remove them.`
  if (indexPlace(config, true)) return undefined
  return `${noEffect}, because there is no index of scraped pages. Set ${environmentNames.searchIndex[0]} to postgres://… or a local folder, or remove them.`
}

/** The location of the index of scraped pages. In memory, if it has neither. */
interface IndexPlace {
  readonly folder?: string
  /** URL of a database. */
  readonly postgres?: string
}

/**
 * Returns the location of the index of scraped pages, or `undefined` if there is none. In a folder it contains only pages that this
 * host scraped.
 */
function indexPlace({ searchIndex, store }: Config, serves: boolean): IndexPlace | undefined {
  if (searchIndex === 'off') return undefined
  if (isPostgresUrl(searchIndex)) return { postgres: searchIndex }
  if (searchIndex !== 'auto' && searchIndex !== 'on') return { folder: searchIndex }
  const file = sqliteFileOf(store)
  if (file !== undefined) return { folder: `${file}.search` }
  if (!isForMany(store)) return serves || searchIndex === 'on' ? {} : undefined
  if (searchIndex === 'auto') return undefined
  if (store !== undefined && isPostgresUrl(store)) return { postgres: store }
  const message = `Hosts that share this store do not share an index of pages. Set ${environmentNames.searchIndex[0]} to postgres://… or a local folder, or ${environmentNames.searxngEndpoint[1]}.`
  throw new EngineError('not_configured', message)
}
