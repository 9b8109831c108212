// Tells table cells of several lines from columns of prose.
import type { Segment } from '../types.ts'
import { textOf } from './lines.ts'
import type { PageRow } from './rows.ts'

const minStarts = 3
/** Maximum mean number of lines between two rows of a table. */
const maxLines = 8
const minShare = 0.6

/** The sides of an empty strip that have text on a baseline. */
type Kind = 'both' | 'left' | 'right'

/**
 * Returns whether the texts on both sides of a strip are table cells, some of which have several lines. Such cells begin on
 * one baseline, and below it a cell with more lines continues alone, to a last line that is not full. In columns of prose, the line
 * above is full where only the other column has a gap.
 */
export function areWrappedCells(region: readonly PageRow[], strip: number): boolean {
  // Parts of formulas are at many heights.
  const page = region.filter(hasWord)
  const all = page.map((row) => kindOf(row, strip))
  const from = Math.max(0, all.findIndex((kind) => kind !== 'both') - 1)
  // Up to the last row below a cell that continues alone.
  const rows = page.slice(
    from,
    all.findLastIndex((kind, at) => kind === 'both' && (all[at - 1] ?? 'both') !== 'both') + 1,
  )
  const kinds = all.slice(from, from + rows.length)
  if (rows.flat().filter(hasLeader).length >= minStarts) return false
  const segments = rows.flat()
  const ends = {
    left: endOf(segments.filter(({ right }) => right <= strip)),
    right: endOf(segments.filter(({ left }) => left >= strip)),
  }
  let [starts, short, mixed] = [0, 0, 0]
  for (const [at, kind] of kinds.entries()) {
    const before = kinds[at - 1]
    if (before === undefined || before === 'both') continue
    if (kind === 'both') {
      starts += 1
      if (isShort(rows[at - 1] ?? [], ends[before])) short += 1
    } else if (kind !== before) mixed += 1
  }
  return (
    starts >= minStarts &&
    starts * maxLines >= rows.length &&
    short >= starts * minShare &&
    mixed <= starts * (1 - minShare)
  )
}

function kindOf(row: PageRow, strip: number): Kind {
  const isLeft = row.some(({ left }) => left < strip)
  return isLeft && row.some(({ right }) => right > strip) ? 'both' : isLeft ? 'left' : 'right'
}

/** Returns whether a text ends with dots and a page number, as in a table of contents of two columns. */
function hasLeader({ items }: Segment): boolean {
  return /(?:\.\s?){4}\s*\d+\s*$/.test(textOf(items))
}

function hasWord(row: PageRow): boolean {
  return row.some(({ items }) => /[\p{L}\p{N}]{3}/u.test(textOf(items)))
}

function endOf(segments: readonly Segment[]): number {
  return segments.reduce((end, { right }) => Math.max(end, right), -Infinity)
}

function isShort(row: PageRow, end: number): boolean {
  const last = Math.max(...row.map(({ right }) => right))
  return end - last > (row[0]?.size ?? 10) * 1.5
}
