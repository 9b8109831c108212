import type { Engine, PlainJobDoors } from '@harvestman/core'

/** What the API needs of an engine. */
export type ApiEngine = Pick<
  Engine,
  | 'unchecked'
  | 'results'
  | 'changes'
  | 'kinds'
  | 'previewCrawl'
  | 'uploads'
  | 'schemas'
  | 'capabilities'
  | 'checkStore'
  | 'teams'
  | 'usage'
  | 'activity'
  | 'preview'
  | 'admit'
  | 'ledger'
  | 'limits'
  | 'interact'
  | 'openSession'
  | 'liveBrowsers'
> & { readonly jobs: PlainJobDoors }

export type Schemas = ApiEngine['schemas']
