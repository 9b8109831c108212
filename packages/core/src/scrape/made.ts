// Intermediate results between a page and its document.
import type { Json, Usage } from '@harvestman/ports'
import type { LoadFurther } from '../plugin/field.ts'
import type { Parser } from '../plugin/parts.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { Draft } from './document.ts'
import type { Plan } from './plan.ts'
import type { ReadingFailure, Size } from './reader.ts'

/** Content of a page: values by field, and what the parser said beside them. */
export interface ParsedPage {
  readonly values: Readonly<Record<string, unknown>>
  readonly metadata: Readonly<Record<string, Json>>
  readonly units: number
  /** Parser that read the bytes; `type` is their media type. */
  readonly parser: Parser
  readonly type: string
  readonly warnings: readonly string[]
  /** Sizes of the values, by field. */
  readonly sizes: Readonly<Record<string, Size>>
  /** Failures of modules of plugins, by field. */
  readonly failures: Readonly<Record<string, ReadingFailure>>
}

/** Values by the name of their field. */
export type Fields = Readonly<Record<string, unknown>>

/** Derived values, and their usage of a language model. */
export interface Derived {
  readonly fields: Fields
  /** Usage by the name of the field that reported it. */
  readonly usage: ReadonlyMap<string, Usage>
  /** Values that each field was worked out from, by the name of the field. */
  readonly needs: ReadonlyMap<string, Fields>
  /** Values left behind of the page, by the name of the keeper; absent where they could not be worked out. */
  readonly kept: ReadonlyMap<string, unknown>
}

/** Further pages that the formats of one scrape ask for. */
export interface FurtherPages {
  /** Loads at most so many pages for a format of a plugin, one after another, within the time of the signal. */
  loaderFor(most: number, signal: AbortSignal, plugin: string): LoadFurther
  /** Price of the pages that were loaded. */
  readonly credits: number
}

/** The document of an earlier request, and the page that it came from. */
export interface CachedDocument {
  readonly request: ScrapeRequest
  readonly plan: Plan
  /** Version of its page in the page cache. */
  readonly version: string
  readonly document: Draft
  readonly bytes: number
}

/** The cached document of one request, if any. */
export interface DocumentSlot {
  readonly cached: CachedDocument | undefined
  set(cached: CachedDocument): void
}
