import type { LinkArea, PageItems, TextItem } from '../types.ts'

/**
 * Returns the page with the URL of links on the text runs that they cover. A partly covered run is split at the ends of the
 * link, preferably between words. Rotated text gets no links.
 */
export function withLinks(page: PageItems): PageItems {
  if (page.links.length === 0) return page
  const links = page.links.toSorted((a, b) => a.left - b.left)
  const items = page.items.flatMap((item) => (item.angle === 0 ? cut(item, links) : [item]))
  return { ...page, items }
}

function cut(item: TextItem, links: readonly LinkArea[]): TextItem[] {
  const middle = item.y - item.size * 0.3
  const over = links.filter(
    ({ left, right, top, bottom }) =>
      top <= middle && bottom >= middle && left < item.x + item.width - 1 && right > item.x + 1,
  )
  const pieces: TextItem[] = []
  let rest = item
  for (const link of over) {
    const from = nearestBreak(rest, link.left)
    const to = nearestBreak(rest, link.right)
    if (to <= from) continue
    const [before, linked, after] = [part(rest, 0, from), part(rest, from, to), part(rest, to, rest.text.length)]
    if (before) pieces.push(before)
    if (linked) pieces.push({ ...linked, link: link.url })
    if (!after) return pieces
    rest = after
  }
  return [...pieces, rest]
}

/** Returns the approximate relative width of a character: the file contains only the widths of whole runs. */
function weight(letter: string): number {
  if (/[\sfijlrtI.,:;'|!()[\]/-]/.test(letter)) return 0.55
  if (/[mwMW@%—]/.test(letter)) return 1.5
  return /[A-Z\d]/.test(letter) ? 1.15 : 1
}

/** Returns the character index nearest to a position on the page, preferring word boundaries. */
function nearestBreak({ text, x, width }: TextItem, at: number): number {
  if (at <= x + 1) return 0
  if (at >= x + width - 1) return text.length
  const weights = Array.from(text, weight)
  const unit = width / weights.reduce((sum, one) => sum + one, 0)
  let best = 0
  let least = Infinity
  let here = x
  let index = 0
  for (const letter of text) {
    const distance = Math.abs(here - at) - edgeBonus(text[index - 1], letter) * unit
    if (distance < least) [best, least] = [index, distance]
    here += weight(letter) * unit
    index += letter.length
  }
  return Math.abs(here - at) - unit * 2.5 < least ? text.length : best
}

/** Returns how likely a link boundary is between two characters: links mostly begin and end with whole words. */
function edgeBonus(before: string | undefined, letter: string): number {
  if (before === undefined || /\s/.test(before)) return 4
  if (/[\s)\].,;:]/.test(letter)) return 3
  return /[^\p{L}\p{N}]/u.test(letter + before) ? 1.5 : 0
}

function part(item: TextItem, from: number, to: number): TextItem | undefined {
  const text = item.text.slice(from, to)
  if (text.trim() === '') return undefined
  const share = (some: string): number => Array.from(some, weight).reduce((sum, one) => sum + one, 0)
  const unit = item.width / (share(item.text) || 1)
  return {
    ...item,
    text,
    x: item.x + share(item.text.slice(0, from)) * unit,
    width: share(text) * unit,
    isSpaced: from === 0 ? item.isSpaced : /\s$/.test(item.text.slice(0, from)) || /^\s/.test(text),
  }
}
