// Shortens a large page to a token budget. Interactive elements take precedence, then the lines next to them.
import { estimateTokens } from '@harvestman/toolbox/tokens'

interface Line {
  readonly text: string
  readonly rank: number
  readonly cost: number
}

const maxLineLength = 240
/** Approximate number of tokens of the note about omitted lines, which may follow every line. */
const gapTokens = 8

/** A word is common if it is in more than this share of the lines, and in more than `minCommon` lines. */
const commonPart = 0.02
const minCommon = 5

const isActable = (line: string): boolean => /\[ref=e\d+\]$/.test(line)
const isSign = (line: string): boolean => /^\s*- (?:heading|dialog|alertdialog|alert|status|frame)\b/.test(line)

/**
 * Returns the page unchanged if it fits into `room` tokens. Otherwise omits the least important lines, `cut` in number, and
 * shortens those of more than 240 characters. Order of importance: lines with one of the search terms in `words` that is rare
 * on the page, elements that support actions, headings and lines beside a search term, lines beside elements, the rest.
 */
export function shortenPage(
  page: string,
  room: number,
  words: string,
): { readonly text: string; readonly cut: number } {
  if (estimateTokens(page) <= room) return { text: page, cut: 0 }
  const lines = ranked(page.split('\n'), wordsOf(words))
  const shownLines = new Set<number>()
  let left = room
  const order = lines.map((_, index) => index).toSorted((a, b) => lines[a]!.rank - lines[b]!.rank || a - b)
  for (const index of order) {
    const { cost } = lines[index]!
    if (cost > left) continue
    shownLines.add(index)
    left -= cost
  }
  return { text: joined(lines, shownLines), cut: lines.length - shownLines.size }
}

function wordsOf(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu))].slice(0, 40)
}

function ranked(lines: readonly string[], words: readonly string[]): readonly Line[] {
  const named = linesWith(words, lines)
  return lines.map((line, index) => {
    const text = clipped(line)
    return { text, rank: rankOf(lines, named, index), cost: estimateTokens(text) + 1 + gapTokens }
  })
}

/** Finds the lines that contain a search term. Ignores terms that are too common to distinguish lines. */
function linesWith(words: readonly string[], lines: readonly string[]): readonly boolean[] {
  const lower = lines.map((line) => line.toLowerCase())
  const most = Math.max(lines.length * commonPart, minCommon)
  const found = words.map((word) => lower.flatMap((line, index) => (line.includes(word) ? [index] : [])))
  const named = new Set(found.filter(({ length }) => length <= most).flat())
  return lines.map((_, index) => named.has(index))
}

function rankOf(lines: readonly string[], named: readonly boolean[], index: number): number {
  const line = lines[index] ?? ''
  const beside = [lines[index - 1] ?? '', lines[index + 1] ?? '']
  if (isActable(line)) return named[index] ? 0 : 2
  if (named[index]) return 1
  if (isSign(line) || named[index - 1] || named[index + 1]) return 3
  return beside.some(isActable) ? 4 : 5
}

/** Shortens a long line in the middle: its beginning describes the element, and its end has the reference. */
function clipped(line: string): string {
  if (line.length <= maxLineLength) return line
  const end = /(?: \[[^\]]*\])*$/.exec(line.slice(-100))?.[0] ?? ''
  return `${line.slice(0, maxLineLength - end.length - 1)}…${end}`
}

function joined(lines: readonly Line[], shownLines: ReadonlySet<number>): string {
  const shown: string[] = []
  let gap = 0
  const tellGap = (): void => {
    if (gap > 0) shown.push(`(${gap} lines left out)`)
    gap = 0
  }
  for (const [index, { text }] of lines.entries()) {
    if (!shownLines.has(index)) {
      gap += 1
      continue
    }
    tellGap()
    shown.push(text)
  }
  tellGap()
  return shown.join('\n')
}
