import type { Explanation } from '../parts/why.tsx'
import type { PageImage, PageOfBlocks } from './blocks.ts'

/** A document of the API. */
export interface Document {
  readonly markdown?: string
  /** Pages of a file, if the option `blocks` of its parser is set. */
  readonly blocks?: readonly PageOfBlocks[]
  /** Pictures of these pages, if its option `pageImages` is set. */
  readonly pageImages?: readonly PageImage[]
  readonly explain?: Explanation
  readonly warning?: string
  readonly metadata: {
    readonly statusCode?: number
    readonly title?: string
    readonly url?: string
    readonly sourceURL?: string
    readonly creditsUsed?: number
    readonly proxyUsed?: string
    readonly cacheState?: string
    readonly scrapeId?: string
    readonly error?: string
    readonly [key: string]: unknown
  }
  readonly [format: string]: unknown
}
