// Text that is not in the visible page: the JSON-LD, if the page itself has little text.
import { parseHtml } from '../parse/parse.ts'
import { writeMarkdown } from '../markdown/write-markdown.ts'
import { block, blockText, blockWidth } from './block-table.ts'
import type { Described } from './described.ts'
import type { LinkedData } from './page-facts.ts'

const shortText = 400
const worthAdding = 60

/**
 * Returns body text from JSON-LD as Markdown, if it has at least 60 characters, and the chosen content has fewer than 400, is
 * shorter and does not repeat it; otherwise `undefined`. This helps with products and pages rendered by scripts.
 */
export function textFromData({ data, blocks }: Described, kept: Uint8Array): string | undefined {
  const text = pickText(data)
  if (text.length < worthAdding) return undefined
  let chars = 0
  for (let i = 0; i < blocks.count; i++) if (kept[i] === 1) chars += blocks.table.data[i * blockWidth + block.chars]!
  if (chars >= Math.min(shortText, text.length)) return undefined
  const known = text.replace(/\s+/g, ' ')
  for (let i = 0; i < blocks.count; i++) {
    const own = kept[i] === 1 ? blockText(blocks, i) : ''
    if (own.length >= worthAdding && known.includes(own) && own.length * 3 > known.length) return undefined
  }
  return asMarkdown(text)
}

/** Returns the longer of body and description, or else the reviews, unless the page is about a product. */
function pickText({ body, description, reviews, types }: LinkedData): string {
  const longer = body.length > description.length ? body : description
  return longer === '' && !types.has('Product') ? reviews : longer
}

/** Converts HTML, which shops often use in descriptions, to Markdown. Returns plain text unchanged. */
function asMarkdown(text: string): string {
  return /<[a-z][^<>]*>|&[a-z#0-9]+;/i.test(text) ? writeMarkdown(parseHtml(text).root).trim() : text
}
