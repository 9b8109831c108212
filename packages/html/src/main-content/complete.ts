// Adds blocks that readers expect although the model did not choose them. Its training data often lacks headlines and
// captions, and has few pages of a few words, so rules decide these.
import { block, blockWidth, type Blocks } from './block-table.ts'
import type { Described } from './described.ts'
import { columnsOf, isWithin } from './furniture.ts'
import { isHeadline } from './headline.ts'
import { declaresArticle } from './page-facts.ts'
import { textFamilyNames } from './text-scan.ts'

/**
 * Minimum probabilities. The headline one applies to pages that declare an article, as training data for news lacks
 * headlines.
 */
const hope = { headline: 0.35, caption: 0.2, quote: 0.1, code: 0.1 } as const

/**
 * Adds headlines, captions, code, sources of quotations and small pages to `kept`, which has 1 for each included block. Does nothing
 * if it has none.
 */
export function completeBlocks(described: Described, chances: Float32Array, kept: Uint8Array): void {
  if (!kept.includes(1)) return
  keepCaptions(described.blocks, chances, kept)
  keepCode(described.blocks, chances, kept)
  keepQuotes(described.blocks, chances, kept)
  keepHeadline(described, chances, kept)
  keepSmallPage(described.blocks, kept)
}

function keepHeadline(described: Described, chances: Float32Array, kept: Uint8Array): void {
  const place = findHeadline(described, kept.indexOf(1))
  if (place < 0) return
  const { head, data } = described
  if (!declaresArticle(head, data) || chances[place]! >= hope.headline) kept[place] = 1
}

/**
 * Returns the heading that matches the title, or else the first `h1`, if it is not after the first kept block.
 * Otherwise -1.
 */
function findHeadline(described: Described, last: number): number {
  const { blocks, outline } = described
  if (outline.headline >= 0 && outline.headline <= last && isHeadline(described, outline.headline)) {
    return outline.headline
  }
  for (let i = 0; i <= last; i++) {
    if (blocks.table.data[i * blockWidth + block.heading] === 1 && isHeadline(described, i)) return i
  }
  return -1
}

const figure = columnsOf('figure')
const captionWords = 60

/** Keeps short text of a figure directly before or after kept text. */
function keepCaptions(blocks: Blocks, chances: Float32Array, kept: Uint8Array): void {
  for (let from = 0; from < blocks.count; from++) {
    if (!isWithin(blocks, from, figure)) continue
    let end = from + 1
    while (end < blocks.count && isWithin(blocks, end, figure)) end++
    // Evaluated before any caption of this figure is added.
    const beside = kept[from - 1] === 1 || kept[end] === 1
    for (let i = from; i < end; i++) {
      const words = blocks.table.data[i * blockWidth + block.words]!
      if (beside && words < captionWords && chances[i]! >= hope.caption) kept[i] = 1
    }
    from = end - 1
  }
}

/** Keeps code that is directly between two kept blocks. Its lines can be blocks of their own. */
function keepCode({ count, table }: Blocks, chances: Float32Array, kept: Uint8Array): void {
  const isCode = (i: number): boolean => table.data[i * blockWidth + block.pre]! > 0
  for (let from = 0; from < count; from++) {
    if (!isCode(from)) continue
    let end = from + 1
    while (end < count && isCode(end)) end++
    const isBetween = kept[from - 1] === 1 && kept[end] === 1
    for (let i = from; i < end; i++) if (isBetween && chances[i]! >= hope.code) kept[i] = 1
    from = end - 1
  }
}

const quote = columnsOf('blockquote')
const sourceWords = 15

/** Keeps a short line at the end of a kept quotation: its source. */
function keepQuotes(blocks: Blocks, chances: Float32Array, kept: Uint8Array): void {
  let before = false
  for (let i = 0; i < blocks.count; i++) {
    const own = kept[i] === 1
    const words = blocks.table.data[i * blockWidth + block.words]!
    const inside = i > 0 && isWithin(blocks, i, quote) && isWithin(blocks, i - 1, quote)
    if (!own && before && inside && words < sourceWords && chances[i]! >= hope.quote) kept[i] = 1
    before = own
  }
}

const small = { words: 200, chars: 2000, links: 0.4, reach: 4 } as const
const around = columnsOf('nav', 'footer', 'aside', 'dialog', 'hidden', 'search', 'form', 'button')
const header = columnsOf('header')
const inner = columnsOf('article', 'main')
/** Limited to a few levels, as names further up belong to the whole page. */
const named = columnsOf(
  ...['nav', 'footer', 'crumb', 'cookie', 'related', 'login', 'pager', 'news', 'legal'].map((name) => `.${name}`),
)

/** Keeps everything but the boilerplate of a page with few words, most of them outside links. */
function keepSmallPage(blocks: Blocks, kept: Uint8Array): void {
  const { words, linkWords } = blocks.total
  if (words >= small.words || linkWords > words * small.links) return
  let chars = 0
  for (let i = 0; i < blocks.count; i++) chars += blocks.table.data[i * blockWidth + block.chars]!
  if (chars > small.chars) return
  for (let i = 0; i < blocks.count; i++) if (!isFurniture(blocks, i)) kept[i] = 1
}

function isFurniture(blocks: Blocks, i: number): boolean {
  if (isWithin(blocks, i, around) || isWithin(blocks, i, named, small.reach)) return true
  return (isWithin(blocks, i, header) && !isWithin(blocks, i, inner)) || isAction(blocks, i)
}

const actions = ['share', 'comment'].map((name) => block.families + textFamilyNames.indexOf(name))

/** Returns whether a block consists of links to share or comment. */
function isAction({ table: { data } }: Blocks, i: number): boolean {
  const at = i * blockWidth
  if (data[at + block.linkWords]! < data[at + block.words]!) return false
  return actions.some((column) => data[at + column]! > 0)
}
