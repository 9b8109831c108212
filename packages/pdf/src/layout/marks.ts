import type { Line, Run } from '../types.ts'
import { textOf } from './lines.ts'

/** The mark at the start of a list item. */
export interface Mark {
  readonly number: number | undefined
  /** Content after the mark. */
  readonly runs: readonly Run[]
  /** Left edge of `runs` on the page. */
  readonly left: number
  /** Whether this is certainly a mark. True for bullets; dashes and numbers may also begin a sentence. */
  readonly isSure: boolean
  /** The letter or Roman numeral of the mark. It is also in `runs`, because HTML lists are written without such marks. */
  readonly letter?: string
}

// The last ones are bullets of Symbol and Wingdings, which are in the private use area.
const bullet =
  /^\s*([\u2022\u2023\u25e6\u25aa\u25ab\u25cf\u25cb\u25a0\u25a1\u2219\u00b7\u2043\u27a2\u2756\u2713\uf0b7\uf0a7\uf0d8\uf076\uf0fc])\s*/u
const dash = /^\s*([-*\u2013\u2014])\s+/u
const number = /^\s*\(?(\d{1,3})[.)]\s+/u
const letter = /^\s*(\(?(?:[a-z]|[ivx]{1,5})\)|[a-z]\.)\s+/u

/**
 * Returns the bullet, number or letter at the start of a line, with the content after it. `undefined` if there is none or
 * nothing follows.
 */
export function markOf(line: Line): Mark | undefined {
  const lettered = letterMark(line)
  if (lettered) return lettered
  const found = bullet.exec(line.text) ?? dash.exec(line.text) ?? number.exec(line.text)
  if (!found) return undefined
  const [all, mark = ''] = found
  const runs = dropStart(line.runs, all.length)
  if (textOf(runs).trim() === '') return undefined
  const isNumber = /^\d/.test(mark)
  return {
    number: isNumber ? Number(mark) : undefined,
    runs,
    left: textLeft(line, all.trim().length),
    isSure: bullet.test(line.text),
  }
}

function letterMark(line: Line): Mark | undefined {
  const [all, mark] = letter.exec(line.text) ?? []
  if (all === undefined || mark === undefined || line.text.length === all.length) return undefined
  const left = textLeft(line, all.trim().length)
  return { number: undefined, runs: line.runs, left, isSure: false, letter: bare(mark) }
}

function bare(mark: string): string {
  return mark.replaceAll(/[().]/g, '')
}

/**
 * Returns the lower-case letter or Roman numeral at the start of an item without its punctuation, such as a for `(a) `, or
 * `undefined` if there is none.
 */
export function letterOf(text: string): string | undefined {
  const mark = letter.exec(text)?.[1]
  return mark && bare(mark)
}

/**
 * Returns whether `second` is the letter or numeral after `first`, such as b after a, or ii after i. Numerals are compared up
 * to xv.
 */
export function followsLetter(first: string, second: string): boolean {
  const [a, b] = [roman.indexOf(first), roman.indexOf(second)]
  return (a >= 0 && b === a + 1) || second.codePointAt(0) === (first.codePointAt(0) ?? 0) + 1
}

const roman = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii', 'xiii', 'xiv', 'xv']

/** Returns whether the line is only a bullet, as some applications write it. */
export function isLoneBullet({ text }: Line): boolean {
  const found = bullet.exec(text)
  return found !== null && found[0].length === text.length
}

function dropStart(runs: readonly Run[], count: number): Run[] {
  let left = count
  return runs.flatMap((run) => {
    const text = run.text.slice(Math.min(left, run.text.length))
    left -= run.text.length - text.length
    return text === '' ? [] : [{ ...run, text }]
  })
}

function textLeft({ segments }: Line, markLength: number): number {
  const items = segments.flatMap((segment) => segment.items)
  let characters = 0
  for (const { text, x, width } of items) {
    if (characters >= markLength) return x
    characters += text.trim().length
    if (characters > markLength) {
      const start = /^\s*\S+\s+/.exec(text)?.[0].length ?? 0
      return x + (width * start) / Math.max(1, text.length)
    }
  }
  return items[0]?.x ?? 0
}

const leader = /(?:\s?[.\u2026\u00b7_]){4,}\s*/u

/**
 * Returns the runs of a line that ends in a dot leader and a page number, with a space in place of the leader, or `undefined`
 * for any other line.
 */
export function contentsLine(line: Line): readonly Run[] | undefined {
  if (!/(?:\s?[.\u2026\u00b7_]){4,}\s*[\divxlc-]{1,9}\s*$/iu.test(line.text)) return undefined
  const runs = line.runs.map((run) => ({ ...run, text: run.text.replace(leader, ' ') }))
  // A leader may be split over several runs.
  const text = line.text.replace(leader, ' ').trim()
  return textOf(runs).trim() === text ? runs : [{ ...plain, link: line.runs[0]?.link, text }]
}

const nearby = 3

/**
 * Returns the runs of the line at index `at` if it ends in a separate page number, and one of the 3 lines before or after it
 * has a dot leader and the same right edge; otherwise `undefined`. Chapters in a table of contents often have no leaders.
 */
export function contentsPage(lines: readonly Line[], at: number): readonly Run[] | undefined {
  const line = lines[at]
  const last = line?.segments.at(-1)
  if (!line || !last || line.segments.length < 2 || !/^\s*[\divxlc]{1,5}\s*$/.test(itemsText(last))) return undefined
  const others = [...lines.slice(Math.max(0, at - nearby), at), ...lines.slice(at + 1, at + 1 + nearby)]
  const isBelow = (other: Line): boolean => Math.abs(other.right - line.right) < line.size * 0.5
  return others.some((other) => contentsLine(other) && isBelow(other)) ? line.runs : undefined
}

function itemsText({ items }: { readonly items: readonly { readonly text: string }[] }): string {
  return items.map(({ text }) => text).join('')
}

const plain = { bold: false, italic: false, mono: false, raised: undefined, link: undefined }
