import type { Engine, JobDoors } from '@harvestman/core'

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
  | 'startAny'
  | 'findAny'
  | 'kinds'
  | 'previewCrawl'
  | 'diff'
  | 'mapAny'
  | 'searchAny'
  | 'crawlAny'
  | 'batchAny'
  | 'jobs'
  | 'listJobs'
  | 'uploads'
  | 'schemas'
  | 'capabilities'
  | 'checkStore'
  | 'teams'
  | 'usage'
  | 'activity'
  | 'activityByHour'
  | 'preview'
  | 'noteRefusal'
  | 'checkPlace'
  | 'ledger'
  | 'limits'
  | 'interact'
  | 'openSession'
  | 'liveBrowsers'
> &
  Pick<JobDoors, 'findJob' | 'findCrawl'>

export type Schemas = ApiEngine['schemas']
