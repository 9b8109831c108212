import type { Engine, PlainJobDoors } from '@harvestman/core'
import type { Datasets, Extractors } from '@harvestman/data'
import type { Hosting } from '@harvestman/hosting'
import type { Live } from '@harvestman/live'
import type { Monitors } from '@harvestman/monitors'
import type { Records } from '@harvestman/record'
import type { Scripts } from '@harvestman/scripts'
import type { Replays } from '@harvestman/session-replay'

/** Members of an engine that the API needs. */
export type ApiEngine = Pick<
  Engine,
  | 'unchecked'
  | 'results'
  | 'changes'
  | 'kinds'
  | 'schemas'
  | 'capabilities'
  | 'checkStore'
  | 'usage'
  | 'preview'
  | 'admit'
  | 'ledger'
  | 'limits'
> & {
  readonly jobs: PlainJobDoors
  /** There where a plugin brings it. */
  readonly live?: Live | undefined
  readonly monitors?: Monitors | undefined
  readonly datasets?: Datasets | undefined
  readonly records?: Records | undefined
  readonly replays?: Replays | undefined
  readonly scripts?: Scripts | undefined
  readonly extractors?: Extractors | undefined
} & HostingIfAny

/** Members that the plugin `hosting` adds, where an engine has it. */
type HostingIfAny = { readonly [Name in keyof Hosting]?: Hosting[Name] | undefined }

/** The engine as rows use it: rows about a feature that it lacks are not served. */
export type ServedEngine = Omit<ApiEngine, keyof Hosting> & Hosting

export type Schemas = ApiEngine['schemas']
