import type { Engine } from '@harvestman/core'

/** What the API needs of an engine. */
export type ApiEngine = Pick<
  Engine,
  | 'scrapeAny'
  | 'findScrape'
  | 'findFile'
  | 'map'
  | 'crawl'
  | 'batch'
  | 'findJob'
  | 'findCrawl'
  | 'jobs'
  | 'schemas'
  | 'capabilities'
>

export type Schemas = ApiEngine['schemas']
