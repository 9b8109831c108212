import type { Explanation } from './explain.ts'
import type { Json, Value } from '@harvestman/ports'

/** Fields that every document may have. */
export interface BaseDocument {
  readonly metadata: Metadata
  /** How the document was made and why. Only if requested. */
  readonly explain?: Explanation
  /** Describes omissions and deviations from the request, with the reasons. */
  readonly warning?: string
  /** Results of the actions, by type of result. */
  readonly actions?: Readonly<Record<string, readonly Json[]>>
}

/** A document of any engine, with any plugins. */
export interface AnyDocument extends BaseDocument {
  readonly [format: string]: unknown
}

/** A document that still contains its files as bytes. */
export interface Draft extends Omit<BaseDocument, 'actions'> {
  readonly actions?: Readonly<Record<string, readonly Value[]>>
  readonly [format: string]: unknown
}

/** Metadata of the page. */
export interface Metadata {
  readonly title?: string
  readonly description?: string
  readonly language?: string
  /** Requested URL. */
  readonly sourceURL: string
  /** URL of the page after redirects. */
  readonly url: string
  readonly statusCode: number
  /** Meaning of an error status. */
  readonly error?: string
  readonly contentType?: string
  readonly scrapeId: string
  readonly proxyUsed: 'basic' | 'stealth'
  readonly cacheState?: 'hit' | 'miss'
  readonly cachedAt?: string
  readonly creditsUsed: number
  readonly [key: string]: unknown
}
