import type { Search } from '@harvestman/core/ports'
import { searxng } from '@harvestman/search'

import type { Config } from './config.ts'

/** What a configuration searches; nothing when there is none. */
export function searchOf({ searxngEndpoint, searxngEngines, searxngCategories }: Config): Search | undefined {
  if (searxngEndpoint === undefined) return undefined
  return searxng({ endpoint: searxngEndpoint, engines: searxngEngines, categories: searxngCategories })
}
