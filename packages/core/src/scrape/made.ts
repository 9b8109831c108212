// What is made of a page on its way to a document, and what of it is remembered.
import type { Json, Usage } from '@harvestman/ports'
import type { LoadFurther } from '../plugin/field.ts'
import type { Parser } from '../plugin/parts.ts'
import type { Draft } from './document.ts'
import type { Plan } from './plan.ts'
import type { Size } from './reader.ts'

/** What a page holds: values by field, and what the parser said beside them. */
export interface ParsedPage {
  readonly values: Readonly<Record<string, unknown>>
  readonly metadata: Readonly<Record<string, Json>>
  readonly units: number
  /** Who read the bytes, and what they are. */
  readonly parser: Parser
  readonly type: string
  readonly warnings: readonly string[]
  /** What the values hold, by field. */
  readonly sizes: Readonly<Record<string, Size>>
}

/** Values by the name of their field. */
export type Fields = Readonly<Record<string, unknown>>

/** What was worked out, and what that used of a language model. */
export interface Derived {
  readonly fields: Fields
  /** By the name of the field that reported it. */
  readonly usage: ReadonlyMap<string, Usage>
  /** What each was worked out from, by the name of the field. */
  readonly needs: ReadonlyMap<string, Fields>
  /** What is left behind of the page, by the name of the keeper; nothing where that could not be worked out. */
  readonly kept: ReadonlyMap<string, unknown>
}

/** Further pages that the formats of one scrape ask for. */
export interface FurtherPages {
  /** Loads at most so many pages for a format, one after another, within the time of the signal. */
  loaderFor(most: number, signal: AbortSignal): LoadFurther
  /** What the pages that were loaded cost. */
  readonly credits: number
}

/** What scrapes of one request hand on to the next of the same, for the same team. It may be forgotten at any time. */
export interface Remembered {
  plan?: Plan
  /** The key of its page in the cache. */
  pageKey?: string
  /** The most that it costs. */
  most?: number
  /** What was made of the page last. */
  made?: Made
  /** Remembers what was made, which holds so many bytes. */
  keep?(made: Made, bytes: number): void
}

/** All that follows from a page that is kept, and from the plan. */
export interface Made {
  /** Of the page. */
  readonly version: string
  readonly content: ParsedPage
  readonly derived: Derived
  /** With the id of the scrape that it was made for. */
  readonly draft: Draft
  /** Whether the document is all that is left of the page. */
  readonly isAll?: boolean
  /** What the draft holds. */
  readonly bytes: number
  /** Its text as JSON, before and behind the id, once it was serialized. */
  text?: readonly [before: string, after: string]
}
