// Limits repeated cells and rows of OpenDocument sheets, which a file contains once with a repeat count.
import type { Limits } from '../limits.ts'

const row = /<(?:[\w.-]+:)?(?:table-row|行)(?=[\s/>])/
const cell = /^<(?:[\w.-]+:)?(?:table-cell|数据)(?=[\s/>])/
// A value may contain `<`. A tag without an end is the last one, so that none is read twice.
const tags = /<(?:[\w.-]+:)?(?:table-cell|数据)(?=[\s/>])[^>]*(?:>|$)/g
// All of a tag, because another value may contain the same text.
const times = /((?:rows|columns)-repeated\s*=\s*["'])(\d+)/g

// Maximum number of columns in any spreadsheet application.
const maxColumns = 16_384

/** A sheet with repeat counts within the limits. */
export interface BoundedSheet {
  readonly xml: string
  readonly isCut: boolean
}

/**
 * Lowers the repeat counts until the total number of filled cells is within the limits, because the library creates every cell.
 * Counts of empty cells are unchanged, because they only move the cells after them.
 */
export function boundRepeats(xml: string, { rows, cells }: Pick<Limits, 'rows' | 'cells'>): BoundedSheet {
  if (xml.search(times) < 0) return { xml, isCut: false }
  let left = cells
  let isCut = false
  const lower = (tag: string, limit: number): string =>
    tag.replaceAll(times, (whole, start: string, number: string) => {
      if (Number(number) <= limit) return whole
      isCut = true
      return start + String(limit)
    })
  const pieces = xml.split(new RegExp(`(?=${row.source})`))
  const bounded = pieces.map((piece) => {
    let width = 0
    const inRow = piece.replaceAll(tags, (tag) => {
      if (!cell.test(tag) || tag.endsWith('/>')) return tag
      const lowered = lower(tag, Math.max(1, Math.min(maxColumns, left - width)))
      width += timesOf(lowered)
      return lowered
    })
    if (width === 0 || !row.test(piece)) return inRow
    const tagEnd = inRow.indexOf('>') + 1
    const tag = lower(inRow.slice(0, tagEnd), Math.max(1, Math.min(rows + 1, Math.floor(left / width))))
    left = Math.max(0, left - width * timesOf(tag))
    return tag + inRow.slice(tagEnd)
  })
  return { xml: isCut ? bounded.join('') : xml, isCut }
}

function timesOf(tag: string): number {
  return [...tag.matchAll(times)].reduce((most, [, , count]) => Math.max(most, Number(count)), 1)
}
