// Text that stands beside the page: what its JSON-LD says when the page itself says little.
import { parseHtml } from '../parse/parse.ts'
import { writeMarkdown } from '../markdown/write-markdown.ts'
import { block, blockText, blockWidth } from './block-table.ts'
import type { Described } from './described.ts'
import type { LinkedData } from './page-facts.ts'

const shortText = 400
const worthAdding = 60

/** What JSON-LD says and the chosen text does not, when that is short: products and pages that are drawn by scripts. */
export function textFromData({ data, blocks }: Described, kept: Uint8Array): string | undefined {
  const text = longestText(data)
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

/** Reviews are the page where nothing is sold. */
function longestText({ body, description, reviews, types }: LinkedData): string {
  const longer = body.length > description.length ? body : description
  return longer === '' && !types.has('Product') ? reviews : longer
}

/** Shops write HTML into their descriptions. */
function asMarkdown(text: string): string {
  return /<[a-z][^<>]*>|&[a-z#0-9]+;/i.test(text) ? writeMarkdown(parseHtml(text).root).trim() : text
}
