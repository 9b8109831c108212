import type { Line, Run, Segment, TextItem } from '../types.ts'
import { boundingBox, heaviest } from './boxes.ts'

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u
const strong = /\p{L}/u

/** Joins the segments on one baseline of a column into a line. There must be at least one. */
export function toLine(segments: readonly Segment[]): Line {
  const items = segments.flatMap((segment) => segment.items)
  const box = boundingBox(segments)
  const size = heaviest(items.map((item) => [item.size, item.text.length] as const)) ?? 0
  const main = segments.reduce((a, b) => (b.size > a.size ? b : a))
  const { y } = main
  const runs = runsOf(items, y, Math.max(size, main.size * 0.8))
  return {
    ...box,
    segments,
    runs,
    text: textOf(runs),
    y,
    size,
    face: heaviest(items.map((item) => [item.face, item.text.length] as const)) ?? noFace,
    role: heaviest(items.map((item) => [item.role, item.text.length] as const)),
  }
}

const noFace = { name: '', bold: false, italic: false, mono: false }

/** Returns the text of runs or items without separators. */
export function textOf(runs: readonly Pick<Run, 'text'>[]): string {
  return runs.map(({ text }) => text).join('')
}

/**
 * Joins the items of a line, sorted from left to right, into runs of one style in reading order, with one space between words.
 * `y` and `size` are the baseline and font size of the line, from which superscripts and subscripts differ.
 */
export function runsOf(items: readonly TextItem[], y: number, size: number): Run[] {
  const runs: Run[] = []
  let before: TextItem | undefined
  const isRtl = isRightToLeft(items)
  for (const item of isRtl ? readingOrder(items) : items) {
    const raised = raise(item, y, size)
    const blank = before && isBlankBetween(before, item, isRtl) ? ' ' : ''
    const { bold, italic, mono } = item.face
    const last = runs.at(-1)
    const text = item.text.replaceAll(/\s+/g, ' ')
    const isEnded = !last || last.text.endsWith(' ')
    const cleaned = before ? text : text.trimStart()
    const isSame =
      last &&
      last.bold === bold &&
      last.italic === italic &&
      last.mono === mono &&
      last.raised === raised &&
      last.link === item.link
    if (isSame)
      runs[runs.length - 1] = {
        ...last,
        text: last.text + (isEnded ? '' : blank) + (isEnded ? cleaned.trimStart() : cleaned),
      }
    else {
      if (last && blank && !isEnded) runs[runs.length - 1] = { ...last, text: `${last.text} ` }
      const starts = blank || isEnded ? cleaned.trimStart() : cleaned
      runs.push({ text: starts, bold, italic, mono, raised, link: item.link })
    }
    before = item
  }
  return trimEnd(runs)
}

function trimEnd(runs: Run[]): Run[] {
  const last = runs.at(-1)
  if (last) runs[runs.length - 1] = { ...last, text: last.text.trimEnd() }
  return runs
}

function raise(item: TextItem, y: number, size: number): Run['raised'] {
  if (item.size > size * 0.86 || item.text.trim().length > 12) return undefined
  if (y - item.y > size * 0.15) return 'sup'
  return item.y - y > size * 0.08 ? 'sub' : undefined
}

function isBlankBetween(before: TextItem, item: TextItem, isRtl: boolean): boolean {
  if (item.isSpaced) return true
  const [left, right] = before.x <= item.x ? [before, item] : [item, before]
  const gap = right.x - (left.x + left.width)
  const size = Math.min(before.size, item.size)
  return gap > size * (isCjk(before.text.at(-1)) && isCjk(item.text[0]) ? 0.6 : 0.17) && (isRtl || before.x <= item.x)
}

/** Returns whether the character is Chinese or Japanese, including punctuation and full-width forms. False without one. */
export function isCjk(letter: string | undefined): boolean {
  return (
    letter !== undefined &&
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u.test(letter)
  )
}

/** Returns whether most letters with a direction run from right to left, as in Arabic and Hebrew. */
export function isRightToLeft(items: readonly { readonly text: string }[]): boolean {
  let balance = 0
  for (const { text } of items) {
    for (const letter of text) if (strong.test(letter)) balance += rightToLeft.test(letter) ? 1 : -1
  }
  return balance > 0
}

/** Orders the items of a line from right to left; left-to-right text within it keeps its own order. */
function readingOrder(items: readonly TextItem[]): TextItem[] {
  const ordered: TextItem[] = []
  let turned: TextItem[] = []
  for (const item of items.toSorted((a, b) => b.x - a.x)) {
    const isLtr = !rightToLeft.test(item.text) && /[\p{L}\p{N}]/u.test(item.text)
    if (isLtr) turned.unshift(item)
    else {
      ordered.push(...turned, item)
      turned = []
    }
  }
  return [...ordered, ...turned]
}
