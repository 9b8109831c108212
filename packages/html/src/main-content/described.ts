import type { Blocks } from './block-table.ts'
import type { Outline } from './outline.ts'
import type { Head, LinkedData } from './page-facts.ts'

/** A page with everything that the feature rows of its blocks are computed from. */
export interface Described {
  readonly blocks: Blocks
  readonly outline: Outline
  readonly head: Head
  readonly data: LinkedData
  readonly evidence: Float32Array
  /** 1 for each block that is never content and therefore not evaluated. */
  readonly outside: Uint8Array
  readonly url: string
  readonly page: Float32Array
}
