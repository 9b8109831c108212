// Intermediate results between a page and its document.
import type { HiddenMarks, Json, Usage } from '@harvestman/ports'
import type { LoadFurther } from '../plugin/field.ts'
import type { Parser } from '../plugin/parts.ts'
import type { ScrapeRequest } from '../schema/scrape.ts'
import type { Draft, FilePages, PageBlocks } from './document.ts'
import type { Plan } from './plan.ts'
import type { ReadingFailure, Size } from './reader.ts'
import type { SeenVisit } from './visit.ts'

/** Content of a page: values by field, and the other results of the parser. */
export interface ParsedPage {
  readonly values: Readonly<Record<string, unknown>>
  readonly metadata: Readonly<Record<string, Json>>
  readonly units: number
  /** Parser that read the bytes; `type` is their media type. */
  readonly parser: Parser
  readonly type: string
  /** The declared media type. If the parser does not read that type, the type of the bytes. */
  readonly contentType: string | undefined
  readonly warnings: readonly string[]
  /** Sizes of the values, by field. */
  readonly sizes: Readonly<Record<string, Size>>
  /** Failures of plugin modules, by field. */
  readonly failures: Readonly<Record<string, ReadingFailure>>
  /** True if the parser returned text instead of HTML. */
  readonly isText: boolean
  /** Elements that the browser does not show, by their index in the raw HTML. */
  readonly hidden: HiddenMarks | undefined
  /** Pages of a file by themselves, if the options of its parser ask for them. */
  readonly byPage: FilePages<string | Uint8Array> | undefined
  /** The blocks of the pages, if the request, a format, the caller or the explanation needs them. */
  readonly blocks: readonly PageBlocks[] | undefined
}

/** A page that was loaded and read. */
export interface ReadPage {
  readonly visit: SeenVisit
  readonly content: ParsedPage
  /** True if the check for prompt injection is charged. */
  readonly isScreened?: boolean | undefined
}

/** Values by field. */
export type Fields = Readonly<Record<string, unknown>>

/** Computed values and the language model usage. */
export interface Derived {
  readonly fields: Fields
  /** The whole values of the fields that were shortened for the document. */
  readonly whole: ReadonlyMap<string, unknown>
  /** Usage, by the field that reported it. */
  readonly usage: ReadonlyMap<string, Usage>
  /** Input values of each field, by field. */
  readonly needs: ReadonlyMap<string, Fields>
  /** Values for the keepers, by keeper. Absent if they could not be computed. */
  readonly ofKeepers: ReadonlyMap<string, unknown>
}

/** Loads further pages for the formats of one scrape. */
export interface FurtherPages {
  /** Returns a function that loads up to `most` pages for a format of a plugin, one at a time, until the signal aborts. */
  loaderFor(most: number, signal: AbortSignal, plugin: string): LoadFurther
  /** Price of the further pages loaded so far. */
  readonly credits: number
}

/** Document of an earlier request, with its plan. */
export interface CachedDocument {
  readonly request: ScrapeRequest
  readonly plan: Plan
  /** Version of its page in the page cache. */
  readonly version: string
  readonly document: Draft
  readonly bytes: number
}

/** Entry of one request in the document cache. */
export interface DocumentSlot {
  readonly cached: CachedDocument | undefined
  set(cached: CachedDocument): void
}
