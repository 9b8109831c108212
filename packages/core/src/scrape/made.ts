// Results made of a page on its way to a document, and what of them is remembered.
import type { Json, Usage } from '@harvestman/ports'
import type { LoadFurther } from '../plugin/field.ts'
import type { Parser } from '../plugin/parts.ts'
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

/** Memory that scrapes hand on to the next of the same request and team. It may be forgotten at any time. */
export interface Remembered {
  plan?: Plan
  /** The key of its page in the cache. */
  pageKey?: string
  /** The most that it costs. */
  most?: number
  /** Last result made of the page. */
  made?: Made
  /** Remembers what was made, which holds so many bytes. */
  keep?(made: Made, bytes: number): void
}

/** All that follows from a page that is kept, and from the plan. */
export interface Made {
  /** Version of the page. */
  readonly version: string
  readonly content: ParsedPage
  readonly derived: Derived
  /** Draft with the id of the scrape that it was made for. */
  readonly draft: Draft
  /** True when the document is all that is left of the page. */
  readonly isAll?: boolean
  /** Bytes that the draft holds. */
  readonly bytes: number
  /** Its text as JSON, before and behind the id, once it was serialized. */
  text?: readonly [before: string, after: string]
}
