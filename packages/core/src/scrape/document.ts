import type { Explanation } from './explain.ts'
import type { Json, Value } from '@harvestman/ports'

/** What every document can have, whatever was asked for. */
export interface BaseDocument {
  readonly metadata: Metadata
  /** What was decided on the way, and why; only for who asked. */
  readonly explain?: Explanation
  /** What was left out or done otherwise, and why. */
  readonly warning?: string
  /** What the actions brought, by kind. */
  readonly actions?: Readonly<Record<string, readonly Json[]>>
}

/** A document of any engine, whatever its plugins add. */
export interface AnyDocument extends BaseDocument {
  readonly [format: string]: unknown
}

/** A document whose files are still in it, as bytes. */
export interface Draft extends Omit<BaseDocument, 'actions'> {
  readonly actions?: Readonly<Record<string, readonly Value[]>>
  readonly [format: string]: unknown
}

/** What a document says of its page. */
export interface Metadata {
  readonly title?: string
  readonly description?: string
  readonly language?: string
  /** As it was asked for. */
  readonly sourceURL: string
  /** Where the redirects ended. */
  readonly url: string
  readonly statusCode: number
  /** What the status says, when it is not a good one. */
  readonly error?: string
  readonly contentType?: string
  readonly scrapeId: string
  readonly proxyUsed: 'basic' | 'stealth'
  readonly cacheState?: 'hit' | 'miss'
  readonly cachedAt?: string
  readonly creditsUsed: number
  readonly [key: string]: unknown
}
