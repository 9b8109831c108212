// Displayed formulas, which have lines of their own. Their structure is not recognized.
import type { Line, TextItem } from '../types.ts'
import { toLine } from './lines.ts'
import { toSegment } from './rows.ts'
import { zoneAt, type Zone } from './zones.ts'

/** Left margin, line spacing and font size of a column. */
interface Column {
  /** The areas between ruled lines, whose text is that of tables. */
  readonly zones: readonly Zone[]
  readonly left: number
  readonly leading: number
  readonly size: number
}

const maxLines = 40
// The two sides of a formula, its condition and its number. Rows of tables may have more parts with wide gaps between them.
const maxSegments = 4
const relation = /[=<>\u2260\u2264\u2265\u2248\u2261\u223c\u221d\u2208\u2282\u2286\u2192\u21d2\u21d4]/u
// Minimum share of characters in mathematical fonts.
const minMath = 0.2
// Longer words, such as `otherwise`, are prose: at most this share of all characters.
const longWord = /\p{L}{3,}/gu
const maxProse = 0.4

/**
 * Returns the end of the formulas that begin at a line, or `at` if none does: indented lines close to each other that have a relation
 * sign, characters in mathematical fonts, and few words. Formulas are searched in 40 lines.
 */
export function formulaEnd(lines: readonly Line[], at: number, column: Column): number {
  let end = at
  while (end - at < maxLines && isApart(lines, end, at, column)) end += 1
  const items = lines.slice(at, end).flatMap(itemsOf)
  const text = items.map((item) => item.text).join('')
  if (!relation.test(text)) return at
  const math = items.filter(({ face }) => face.math === true)
  return lettersOf(math) >= lettersOf(items) * minMath ? end : at
}

const partOfFormula = /^(?:[=<>\u2264\u2265\u2248\u2261]|\([\dA-Z.]{1,8}\))$/

/** Returns whether aligned lines are rows of a table: three or more cells in each, none only a relation sign or a number. */
export function isGrid(lines: readonly Line[]): boolean {
  const isRow = ({ segments }: Line): boolean =>
    segments.length >= 3 &&
    !segments.some(({ items }) => partOfFormula.test(items.map(({ text }) => text.trim()).join('')))
  return lines.length >= 3 && lines.every(isRow)
}

/**
 * Returns one line for each formula: the lines with a relation sign in their font size, each with the raised and lowered characters
 * that are closer to it than to the others, from left to right.
 */
export function formulasOf(lines: readonly Line[]): Line[] {
  const size = Math.max(...lines.map((line) => line.size))
  const main = lines.filter((line) => line.size > size * 0.86 && relation.test(line.text))
  if (main.length === 0) return [toLine([toSegment(fromLeft(lines.flatMap(itemsOf)))])]
  const distance = (a: Line, b: Line): number => Math.abs(a.y - b.y)
  const groups = Map.groupBy(lines, (line) => main.reduce((a, b) => (distance(line, b) < distance(line, a) ? b : a)))
  return main.map((line) => {
    const own = groups.get(line) ?? [line]
    return toLine([{ ...toSegment(fromLeft(own.flatMap(itemsOf))), y: line.y }])
  })
}

function isApart(lines: readonly Line[], at: number, start: number, { left, leading, size, zones }: Column): boolean {
  const [line, before] = [lines[at], lines[at - 1]]
  if (!line || line.segments[0]?.table || line.left < left + size) return false
  if (line.segments.length > maxSegments || zoneAt(zones, line)) return false
  if (at > start && before && line.y - before.y > leading * 2.2) return false
  const prose = itemsOf(line).flatMap(({ face, text }) => (face.math ? [] : (text.match(longWord) ?? [])))
  return prose.join('').length <= line.text.length * maxProse
}

function itemsOf({ segments }: Line): readonly TextItem[] {
  return segments.flatMap(({ items }) => items)
}

function fromLeft(items: readonly TextItem[]): TextItem[] {
  return items.toSorted((a, b) => a.x - b.x)
}

function lettersOf(items: readonly TextItem[]): number {
  return items.reduce((sum, { text }) => sum + text.replaceAll(/\s/g, '').length, 0)
}
