// The text of a shape: its paragraphs with their levels and bullets.
import { marked, type Blocks } from '../html/blocks.ts'
import { escapeText } from '../xml/entities.ts'
import { recordsIn, types, type PptRecord } from './records.ts'

/** A text with its formatting, as it is in a shape or in the outline of the presentation. */
export interface PptText {
  /** 0 and 6 are titles, 2 is a note; 1, 5, 7 and 8 are bodies, whose paragraphs usually have bullets. */
  readonly kind: number
  readonly text: string
  readonly style: Buffer | undefined
  /** Whether it is a page number, a date or a footer, which every slide repeats. */
  readonly isRepeated: boolean
}

const repeated: ReadonlySet<number> = new Set([
  types.slideNumber,
  types.dateTime,
  types.genericDate,
  types.head,
  types.foot,
])

/** Reads the texts in a list of records. Each begins with a head. */
export function textsIn(records: Iterable<PptRecord>): PptText[] {
  const texts: { kind: number; text: string; style: Buffer | undefined; isRepeated: boolean }[] = []
  for (const { type, data } of records) {
    if (type === types.textHead) {
      texts.push({ kind: data.readUInt32LE(0), text: '', style: undefined, isRepeated: false })
      continue
    }
    const last = texts[texts.length - 1]
    if (!last) continue
    if (type === types.wideText) last.text = data.toString('utf16le')
    else if (type === types.narrowText) last.text = data.toString('latin1')
    else if (type === types.textStyle) last.style = data
    else if (repeated.has(type)) last.isRepeated = true
  }
  return texts
}

export const isTitle = ({ kind }: PptText): boolean => kind === 0 || kind === 6
export const isNote = ({ kind }: PptText): boolean => kind === 2
const bodies: ReadonlySet<number> = new Set([1, 5, 7, 8])

/** Returns a text as one line. */
export function lineOf({ text }: PptText): string {
  return text.replaceAll(/[\s\u000b]+/g, ' ').trim()
}

/** Adds the paragraphs of a text. `take` counts them, and returns `false` at the limit. */
export function addText(text: PptText, blocks: Blocks, take: () => boolean): void {
  const { levels, marks } = stylesOf(text)
  const isBody = bodies.has(text.kind)
  let at = 0
  for (const paragraph of text.text.split('\r')) {
    const html = runsOf(paragraph, at, marks)
    const { level, hasBullet = isBody } = rangeAt(levels, at)?.value ?? { level: 0 }
    at += paragraph.length + 1
    if (html.trim() === '') continue
    if (!take()) return
    if (hasBullet) blocks.item({ level, isOrdered: false, html })
    else blocks.add(`<p>${html}</p>`)
  }
}

/** Returns the text of a table cell as HTML. */
export function cellHtml(text: PptText): string {
  return text.text
    .split('\r')
    .map((paragraph) => runsOf(paragraph, 0, []).trim())
    .filter((html) => html !== '')
    .join('<br>')
}

interface Level {
  readonly level: number
  readonly hasBullet?: boolean
}

interface Marked {
  readonly bold: boolean
  readonly italic: boolean
}

/** Values of ranges of the text, in order: each is that of the characters up to `end`. */
type Ranges<Value> = readonly { readonly end: number; readonly value: Value }[]

function rangeAt<Value>(ranges: Ranges<Value>, at: number): Ranges<Value>[number] | undefined {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.end ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return ranges[low]
}

function runsOf(paragraph: string, from: number, marks: Ranges<Marked>): string {
  const out: string[] = []
  let at = 0
  while (at < paragraph.length) {
    const range = rangeAt(marks, from + at)
    const end = range ? Math.min(paragraph.length, range.end - from) : paragraph.length
    out.push(marked(htmlOf(paragraph.slice(at, end)), range?.value ?? {}))
    at = end
  }
  return out.join('')
}

function htmlOf(text: string): string {
  return text.split('\u000b').map(escapeText).join('<br>')
}

/** Sizes of the properties of paragraphs, by their bits in the mask, in the order in which they are stored. */
const paragraphSizes: readonly (readonly [mask: number, size: number])[] = [
  [0x80, 2],
  [0x10, 2],
  [0x40, 2],
  [0x20, 4],
  [0x800, 2],
  [0x1000, 2],
  [0x2000, 2],
  [0x4000, 2],
  [0x100, 2],
  [0x400, 2],
  [0x8000, 2],
]
const laterParagraphSizes: readonly (readonly [mask: number, size: number])[] = [
  [0x10000, 2],
  [0xe0000, 2],
  [0x200000, 2],
]
const characterSizes: readonly (readonly [mask: number, size: number])[] = [
  [0x10000, 2],
  [0x200000, 2],
  [0x400000, 2],
  [0x800000, 2],
  [0x20000, 2],
  [0x40000, 4],
  [0x80000, 2],
]
const tabStops = 0x100000
const bulletFlags = 0xf
const fontStyles = 0xffff

const sizeOf = (mask: number, sizes: typeof paragraphSizes): number =>
  sizes.reduce((sum, [bits, size]) => sum + ((mask & bits) === 0 ? 0 : size), 0)

/** Reads the formatting of a text. It ends at the first range that is truncated. */
function stylesOf({ text, style }: PptText): { readonly levels: Ranges<Level>; readonly marks: Ranges<Marked> } {
  const levels: { end: number; value: Level }[] = []
  const marks: { end: number; value: Marked }[] = []
  if (!style) return { levels, marks }
  let at = 0
  // The text ends with a line end that is not stored.
  for (let end = 0; end <= text.length && at + 10 <= style.length;) {
    end += style.readUInt32LE(at)
    const level = Math.min(style.readUInt16LE(at + 4), 8)
    const mask = style.readUInt32LE(at + 6)
    at += 10
    const hasFlags = (mask & bulletFlags) !== 0
    const flags = hasFlags && at + 2 <= style.length ? style.readUInt16LE(at) : 0
    levels.push({ end, value: { level, ...((mask & 1) !== 0 && { hasBullet: (flags & 1) !== 0 }) } })
    at += (hasFlags ? 2 : 0) + sizeOf(mask, paragraphSizes)
    if ((mask & tabStops) !== 0) at += 2 + (at + 2 <= style.length ? 4 * style.readUInt16LE(at) : 0)
    at += sizeOf(mask, laterParagraphSizes)
  }
  for (let end = 0; end <= text.length && at + 8 <= style.length;) {
    end += style.readUInt32LE(at)
    const mask = style.readUInt32LE(at + 4)
    at += 8
    const hasStyle = (mask & fontStyles) !== 0
    const flags = hasStyle && at + 2 <= style.length ? style.readUInt16LE(at) : 0
    marks.push({ end, value: { bold: (flags & 1) !== 0, italic: (flags & 2) !== 0 } })
    at += (hasStyle ? 2 : 0) + sizeOf(mask, characterSizes)
  }
  return { levels, marks }
}

/** Returns the texts of a list of records of a shape's text box. */
export function textBoxOf(data: Buffer): { readonly text: PptText | undefined; readonly outline: number | undefined } {
  const records = [...recordsIn(data)]
  const reference = records.find(({ type }) => type === types.outlineReference)
  return { text: textsIn(records)[0], outline: reference?.data.readUInt32LE(0) }
}
