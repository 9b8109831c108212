// Columns that the tree walk fills and the features read: one row per block, and one per block element.
import type { Element, Text } from '../tree/tree.ts'
import type { ByteTable, IntTable } from './tables.ts'
import { textFamilyNames } from './text-scan.ts'

/** Columns of `Blocks.table`, one row per block. */
export const block = {
  box: 0, firstText: 1, hash: 2, tag: 3, depth: 4, lists: 5, heading: 6, pre: 7,
  chars: 8, words: 9, linkChars: 10, linkWords: 11, links: 12, strongChars: 13, punctuation: 14, commas: 15, stops: 16,
  digits: 17, capitals: 18, symbols: 19, quotes: 20, money: 21, ideographs: 22, longest: 23, titleHits: 24, first: 25,
  last: 26, images: 27, breaks: 28, wordScore: 29, wordLowest: 30, wordHighest: 31, nameNear: 32, nameLowest: 33,
  nameHighest: 34, nameSum: 35, families: 36,
} as const // oxfmt-ignore
export const blockWidth = block.families + textFamilyNames.length

/** Columns of `Blocks.boxes`, one row per block element. `end` is one past the last block inside. */
export const box = {
  parent: 0, first: 1, end: 2, words: 3, linkWords: 4, paragraphs: 5, images: 6, kids: 7, order: 8, tag: 9, depth: 10,
  shape: 11, path: 12, low: 13, high: 14, commas: 15, look: 16,
} as const // oxfmt-ignore
export const boxWidth = 17

export interface Blocks {
  /** Number of blocks. */
  readonly count: number
  readonly table: IntTable
  /** For each block and each of `nearNames`: levels up to the nearest such element, or `far` if there is none. */
  readonly near: ByteTable
  readonly boxes: IntTable
  readonly elements: readonly Element[]
  /**
   * Text nodes of all blocks in order. A block's nodes start at `firstText` and end where the next block's start.
   */
  readonly texts: readonly Text[]
  readonly total: {
    readonly words: number
    readonly linkWords: number
    readonly paragraphs: number
    readonly images: number
  }
  /** Elements in text that readers do not see there: text for screen readers, hover cards. */
  readonly unprinted: readonly Element[]
  /** JSON-LD scripts of the body. */
  readonly dataScripts: readonly Element[]
  readonly noscript: boolean
}

export const far = 99
const paragraphWords = 20

/** Returns whether a block with these numbers of words has the length of a paragraph and is mostly not links. */
export const isParagraph = (words: number, linkWords: number): boolean =>
  words >= paragraphWords && linkWords < words * 0.3

/** Returns a block's text on one line. The string is built on each call. */
export function blockText(blocks: Blocks, row: number): string {
  const { data } = blocks.table
  const at = row * blockWidth
  const start = data[at + block.firstText]!
  const end = row + 1 < blocks.count ? data[at + blockWidth + block.firstText]! : blocks.texts.length
  let text = ''
  for (let i = start; i < end; i++) text += blocks.texts[i]!.text
  // `chars` counts each run of white space once, and none at the ends. Line breaks also count, but add nothing to the string.
  const isTidy = text.length === data[at + block.chars] && data[at + block.breaks] === 0
  if (isTidy && !/[^\S ]/.test(text)) return text
  // Does not match single spaces, which need no change and are the most frequent.
  return text.replaceAll(/[^\S ]\s*| \s+/g, ' ').trim()
}
