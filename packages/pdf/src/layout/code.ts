import type { Line } from '../types.ts'
import { median } from './boxes.ts'

/**
 * Returns monospaced lines as one string, with indentation and empty lines as on the page, but at most two empty lines in a
 * row.
 */
export function codeText(lines: readonly Line[]): string {
  const items = lines.flatMap(({ segments }) => segments.flatMap((segment) => segment.items))
  const letter = median(items.filter(({ text }) => text.length > 1).map(({ text, width }) => width / text.length)) || 6
  const left = Math.min(...lines.map((line) => line.left))
  const leading = median(lines.slice(1).map((line, index) => line.y - (lines[index]?.y ?? 0))) || 12
  const written: string[] = []
  for (const [index, line] of lines.entries()) {
    const gap = line.y - (lines[index - 1]?.y ?? line.y)
    for (let empty = 1; empty < Math.min(3, Math.round(gap / leading)); empty++) written.push('')
    written.push(codeLine(line, left, letter))
  }
  return written.join('\n')
}

function codeLine({ segments }: Line, left: number, letter: number): string {
  let line = ''
  for (const { text, x, isSpaced } of segments.flatMap(({ items }) => items)) {
    const place = Math.max(0, Math.round((x - left) / letter))
    const least = isSpaced && line !== '' && !line.endsWith(' ') ? line.length + 1 : line.length
    line = line.padEnd(Math.max(least, place)) + text.trim()
  }
  return line
}

/**
 * Returns whether a line is monospaced, by at least 90% of its characters. A line number at its start may be in another font.
 */
export function isMonoLine({ runs }: Line): boolean {
  const [first, ...rest] = runs
  const isNumbered = first !== undefined && rest.length > 0 && !first.mono && /^\s*\d{1,4}\s*$/.test(first.text)
  let [mono, all] = [0, 0]
  for (const run of isNumbered ? rest : runs) {
    const characters = run.text.replaceAll(' ', '').length
    all += characters
    if (run.mono) mono += characters
  }
  return mono > 0 && mono >= all * 0.9
}
