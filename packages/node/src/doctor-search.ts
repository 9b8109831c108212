import { EngineError } from '@harvestman/ports'

import { environmentNames } from './setting-variables.ts'
import type { Config } from './settings.ts'
import type { Finding } from './finding.ts'
import { embeddingsOf } from './llm.ts'
import { openSearch, unusedEmbedding, type OpenedSearch } from './search.ts'

/**
 * Runs one search. For an index of scraped pages it embeds one word, and searches only if the index is in Postgres, where it creates
 * missing tables.
 */
export async function search(config: Config): Promise<Finding> {
  const name = 'search'
  const fix = 'Set SEARXNG_ENDPOINT to an instance of SearXNG that has json among its search.formats.'
  try {
    const unused = unusedEmbedding(config)
    const also = unused === undefined ? '' : `. ${unused}`
    if (unused === undefined && config.searxngEndpoint === undefined) {
      const failed = await embeddingFault(config)
      if (failed) return { name, ...failed }
    }
    const opened = await openSearch(config, true)
    const { search: port, plugins } = opened
    if (!port) return { name, state: 'missing', message: `none: no searches${also}`, fix }
    if (plugins.length > 0) {
      const model = config.embeddingModel
      const by = model === undefined ? '' : `, also by meaning with ${model}`
      const failed = await indexFault(opened)
      if (failed) return { name, ...failed }
      return { name, state: 'good', message: `${port.name}${by}; not the web`, fix }
    }
    const hits = await port.find({ ...sampleQuery, source: 'web' }, AbortSignal.timeout(30_000))
    return { name, state: 'good', message: `${port.name} returned ${hits.length} results${also}` }
  } catch (error) {
    const message = EngineError.is(error) ? error.message : 'The search did not respond within half a minute.'
    return { name, state: 'missing', message, fix }
  }
}

/** Searches an index in Postgres once, and closes the index. Returns why that fails. */
async function indexFault({
  search: port,
  plugins,
  isInPostgres = false,
}: OpenedSearch): Promise<Omit<Finding, 'name'> | undefined> {
  try {
    if (isInPostgres) await port?.find({ ...sampleQuery, source: 'web' }, AbortSignal.timeout(30_000))
    return undefined
  } catch (error) {
    const message = EngineError.is(error) ? error.message : 'The index did not respond within half a minute.'
    return { state: 'missing', message, fix: `Check ${environmentNames.searchIndex[0]} and its database.` }
  } finally {
    for (const { close } of plugins.toReversed()) await close?.()
  }
}

/** Embeds one word. Returns why that fails; `undefined` without an embedding model. */
async function embeddingFault(config: Config): Promise<Omit<Finding, 'name'> | undefined> {
  try {
    const embeddings = await embeddingsOf(config)
    await embeddings?.embed([sampleQuery.words], 'query', AbortSignal.timeout(30_000))
    return undefined
  } catch (error) {
    const message = EngineError.is(error) ? error.message : 'The embedding model did not respond within half a minute.'
    const [model, url, key] = [
      environmentNames.embeddingModel,
      environmentNames.embeddingUrl,
      environmentNames.embeddingKey,
    ]
    return { state: 'missing', message, fix: `Check ${model[0]}, ${url[0]} and ${key[0]}.` }
  }
}

const sampleQuery = {
  team: 'doctor',
  words: 'harvestman',
  limit: 1,
  language: 'en',
  newestFirst: false,
  includeDomains: [],
  excludeDomains: [],
  categories: [],
} as const
