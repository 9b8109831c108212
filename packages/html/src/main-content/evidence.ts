// Finds the page's own metadata in its blocks: the description in the head, and body text in JSON-LD.
import { block, blockText, blockWidth, type Blocks } from './block-table.ts'
import type { Head, LinkedData } from './page-facts.ts'

export const evidenceNames = ['description', 'inData', 'inProduct', 'inReview'] as const
export const evidenceWidth = evidenceNames.length

const probe = 40
const shortest = 20
/** Value for blocks that are too short to search for. */
const unknown = 0.5
/** Limits, so that searching JSON-LD text for every block does not slow down long pages. */
const searches = { blocks: 3000, chars: 50_000 } as const

/**
 * Returns a row of `evidenceNames` for each block. `description` is 1 if the block starts like the description, else 0. The
 * others are 1 if that JSON-LD text has the middle of the block, 0 if not, 0.5 if the block is too short to tell, and -1 if
 * there is no such text or the page has more than 3,000 blocks.
 */
export function evidenceOf(blocks: Blocks, head: Head, data: LinkedData): Float32Array {
  const rows = new Float32Array(blocks.count * evidenceWidth)
  const isLong = blocks.count > searches.blocks
  const texts = [data.body, data.description, data.reviews].map((text) => (isLong ? '' : plain(text)))
  const hasTexts = texts.some((text) => text !== '')
  rows.fill(-1)
  for (let i = 0; i < blocks.count; i++) {
    const to = i * evidenceWidth
    rows[to] = startsDescription(blocks, i, head.description) ? 1 : 0
    if (!hasTexts) continue
    const part = partOf(blocks, i)
    texts.forEach((text, k) => {
      if (text !== '') rows[to + 1 + k] = part === '' ? unknown : text.includes(part) ? 1 : 0
    })
  }
  return rows
}

const plain = (text: string): string =>
  text
    .slice(0, searches.chars)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')

function startsDescription(blocks: Blocks, i: number, description: string): boolean {
  if (description.length < shortest) return false
  if (blocks.table.data[i * blockWidth + block.first] !== description.charCodeAt(0)) return false
  return blockText(blocks, i).startsWith(description.slice(0, probe))
}

/** Returns the middle of a block's text, or an empty string if it is short. */
function partOf(blocks: Blocks, i: number): string {
  if (blocks.table.data[i * blockWidth + block.chars]! < shortest) return ''
  const text = blockText(blocks, i)
  const middle = Math.max(0, (text.length - probe) >> 1)
  return text.slice(middle, middle + probe).trim()
}
