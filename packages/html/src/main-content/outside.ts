// What is never the content, whatever the model thinks of it: text in the page's navigation, its footer, its search, its dialogs.
import { block, blockWidth, type Blocks } from './block-table.ts'
import { columnsOf, standsIn } from './furniture.ts'

const never = columnsOf('nav', 'footer', 'search', 'dialog')
/** Its footer says whose words they are. */
const quote = columnsOf('blockquote')
/** Of a page that stands in such elements for the most part they say nothing. */
const mostWords = 0.6

/** For each block 1 when it is outside. */
export function outsideOf(blocks: Blocks): Uint8Array {
  const outside = new Uint8Array(blocks.count)
  let words = 0
  for (let i = 0; i < blocks.count; i++) {
    if (!standsIn(blocks, i, never) || standsIn(blocks, i, quote)) continue
    outside[i] = 1
    words += blocks.table.data[i * blockWidth + block.words]!
  }
  return words > blocks.total.words * mostWords ? outside.fill(0) : outside
}
