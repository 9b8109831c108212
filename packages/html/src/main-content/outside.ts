// Finds blocks that are never content, independently of the model: those in navigation, footers, search and dialogs.
import { block, blockWidth, type Blocks } from './block-table.ts'
import { columnsOf, isWithin } from './furniture.ts'

const never = columnsOf('nav', 'footer', 'search', 'dialog')
/** Footers of quotations contain their source. */
const quote = columnsOf('blockquote')
/** If such elements contain more than this share of all words, they are not excluded. */
const maxShare = 0.9

/**
 * Returns an array with 1 for each block that cannot belong to the main content, as in navigation. If these have more than 90 %
 * of the words of the page, all entries are 0.
 */
export function outsideOf(blocks: Blocks): Uint8Array {
  const outside = new Uint8Array(blocks.count)
  let words = 0
  for (let i = 0; i < blocks.count; i++) {
    if (!isWithin(blocks, i, never) || isWithin(blocks, i, quote)) continue
    outside[i] = 1
    words += blocks.table.data[i * blockWidth + block.words]!
  }
  return words > blocks.total.words * maxShare ? outside.fill(0) : outside
}
