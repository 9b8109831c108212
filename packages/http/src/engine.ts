import type { Engine, PlainJobDoors } from '@harvestman/core'
import type { Hosting } from '@harvestman/hosting'

/** What the API needs of an engine. */
export type ApiEngine = Pick<
  Engine,
  | 'unchecked'
  | 'results'
  | 'changes'
  | 'kinds'
  | 'previewCrawl'
  | 'schemas'
  | 'capabilities'
  | 'checkStore'
  | 'usage'
  | 'preview'
  | 'admit'
  | 'ledger'
  | 'limits'
  | 'interact'
  | 'openSession'
  | 'liveBrowsers'
> & { readonly jobs: PlainJobDoors } & HostingIfAny

/** What the plugin `hosting` adds, where an engine has it. */
type HostingIfAny = { readonly [Name in keyof Hosting]?: Hosting[Name] | undefined }

/** What rows work with: those about a feature that an engine lacks are not served. */
export type ServedEngine = Omit<ApiEngine, keyof Hosting> & Hosting

export type Schemas = ApiEngine['schemas']
