import type { Blocks } from './block-table.ts'
import type { Outline } from './outline.ts'
import type { Head, LinkedData } from './page-facts.ts'

/** A page as far as the rows of its blocks are written from it. */
export interface Described {
  readonly blocks: Blocks
  readonly outline: Outline
  readonly head: Head
  readonly data: LinkedData
  readonly evidence: Float32Array
  /** For each block 1 when it is never the content: it is not judged. */
  readonly outside: Uint8Array
  readonly url: string
  readonly page: Float32Array
}
