import type { Explanation } from './explain.ts'
import type { Claim } from '../schema/citation.ts'
import type { OmittedPart } from '../schema/omitted.ts'
import type { Json, Value } from '@harvestman/ports'

/** Fields that every document may have. */
export interface BaseDocument extends FilePages {
  readonly metadata: Metadata
  /** How the document was made and why. Only if requested. */
  readonly explain?: Explanation
  /** Describes omissions and deviations from the request, with the reasons. */
  readonly warning?: string
  /** Values and sentences of formats with the option `citations`, with the passages of the page that they are based on. */
  readonly claims?: readonly Claim[]
  /** The parts of the page that did not fit into `maxTokens` of a format. */
  readonly omitted?: readonly OmittedPart[]
  /** Results of the actions, by type of result. */
  readonly actions?: Readonly<Record<string, readonly Json[]>>
}

/** Pages of a file by themselves. Only if the options of its parser request them. */
export interface FilePages<File = string> {
  readonly pages?: readonly { readonly pageNumber: number; readonly markdown: string }[]
  readonly blocks?: readonly PageBlocks[]
  readonly pageImages?: readonly PageImage<File>[]
}

/** A picture of one page of a file. */
export interface PageImage<File = string> {
  /** From 1. */
  readonly pageNumber: number
  /** URL of the picture. */
  readonly url: File
  /** Clockwise rotation in degrees, around the middle, after which the boxes of `blocks` fit the picture. */
  readonly rotation: number
}

/** The parts of one page of a file. */
export interface PageBlocks {
  /** From 1. */
  readonly pageNumber: number
  /** Size of the page as a picture, in pixels. */
  readonly width: number | null
  readonly height: number | null
  /** `partial` if a part of the page could not be read, `failed` if nothing could. */
  readonly status: 'ok' | 'partial' | 'failed'
  readonly items: readonly PageBlock[]
}

/** A part of a page of a file, such as a paragraph or a table. */
export interface PageBlock {
  readonly id: string
  readonly type: string
  readonly label: string | null
  /** Left, top, right and bottom edge as fractions of the page. */
  readonly bbox: readonly [left: number, top: number, right: number, bottom: number] | null
  /** Its text; a table as HTML. */
  readonly content: string
  /** Where its text is in the Markdown of the document. */
  readonly markdownSpan: readonly [start: number, end: number] | null
  readonly readingOrder: number
  readonly source: string | null
  readonly confidence: { readonly layout: number | null; readonly ocr: number | null }
  /** The URL of the picture of a figure; its bytes until it is stored. Only if the option `figures` of the parser is set. */
  readonly image?: string | Uint8Array
}

/** A document of any engine, with any plugins. */
export interface AnyDocument extends BaseDocument {
  readonly [format: string]: unknown
}

/** A document that still contains its files as bytes. */
export interface Draft extends Omit<BaseDocument, 'actions' | 'pageImages'> {
  readonly pageImages?: readonly PageImage<string | Uint8Array>[]
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
