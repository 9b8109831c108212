import type { Engine } from '@harvestman/core'

/** What the API needs of an engine. */
export type ApiEngine = Pick<
  Engine,
  | 'scrapeAny'
  | 'parseAny'
  | 'findScrape'
  | 'findFile'
  | 'history'
  | 'extractAny'
  | 'findExtract'
  | 'previewCrawl'
  | 'diff'
  | 'mapAny'
  | 'searchAny'
  | 'crawlAny'
  | 'batchAny'
  | 'findJob'
  | 'findCrawl'
  | 'jobs'
  | 'schemas'
  | 'capabilities'
  | 'checkStore'
  | 'teams'
  | 'usage'
  | 'activity'
  | 'preview'
  | 'noteRefusal'
  | 'ledger'
  | 'limits'
  | 'interact'
  | 'openSession'
  | 'liveBrowsers'
>

export type Schemas = ApiEngine['schemas']
