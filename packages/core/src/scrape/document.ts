import type { Explanation } from './explain.ts'
import type { Json, Value } from '@harvestman/ports'

/** Members that every document can have, whatever the request. */
export interface BaseDocument {
  readonly metadata: Metadata
  /** Decisions on the way and their reasons; only for callers who asked for them. */
  readonly explain?: Explanation
  /** Warnings: what was left out or done otherwise, and why. */
  readonly warning?: string
  /** Results of the actions, by kind. */
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

/** Metadata of the page. */
export interface Metadata {
  readonly title?: string
  readonly description?: string
  readonly language?: string
  /** Address as it was asked for. */
  readonly sourceURL: string
  /** Address of the page after redirects. */
  readonly url: string
  readonly statusCode: number
  /** Meaning of a status that is not a good one. */
  readonly error?: string
  readonly contentType?: string
  readonly scrapeId: string
  readonly proxyUsed: 'basic' | 'stealth'
  readonly cacheState?: 'hit' | 'miss'
  readonly cachedAt?: string
  readonly creditsUsed: number
  readonly [key: string]: unknown
}
