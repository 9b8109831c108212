import type { Block, Box, Line, Run, Table } from '../types.ts'
import { alignedAt, areCentred, columnsOf, readAligned, type AlignedTable } from './aligned.ts'
import { boundingBox, heaviest, median } from './boxes.ts'
import { codeText, isMonoLine } from './code.ts'
import type { Region } from './columns.ts'
import { formulaEnd, formulasOf, isGrid } from './formula.ts'
import { joinRuns, type Words } from './join.ts'
import { textOf, toLine } from './lines.ts'
import { titleKey } from './headings.ts'
import { isStacked } from './stacked.ts'
import { zoneAt, type Zone } from './zones.ts'
import { contentsLine, contentsPage, followsLetter, isLoneBullet, letterOf, markOf, type Mark } from './marks.ts'

export interface RegionContext {
  readonly page: number
  /** The coordinates of the lines are those of the page rotated back. */
  readonly isRotated: boolean
  readonly zones: readonly Zone[]
  readonly words: Words
  /** Titles of the bookmarks, normalized by `titleKey`. */
  readonly titles: ReadonlySet<string>
  /** Most of the document is monospaced, so this font does not indicate code. */
  readonly isMono: boolean
}

/** Converts the lines of one column to paragraphs, list items, code and tables. Headings are still paragraphs. */
export function blocksOf(region: Region, context: RegionContext): Block[] {
  const lines = region.map(toLine)
  const frame = frameOf(lines)
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const found = blockAt(lines, at, frame, context, blocks)
    blocks.push(...found.blocks)
    at = found.next
  }
  return blocks
}

/** Margins, line spacing and font size of most lines in a column. */
interface Frame extends Box {
  readonly leading: number
  readonly size: number
}

function frameOf(lines: readonly Line[]): Frame {
  const size = heaviest(lines.map((line) => [Math.round(line.size * 2) / 2, line.text.length] as const)) ?? 10
  const steps = lines.slice(1).map((line, index) => line.y - (lines[index]?.y ?? 0))
  const leading = median(steps.filter((step) => step > size * 0.6 && step < size * 2.2)) || size * 1.2
  return { ...boundingBox(lines), leading, size }
}

interface Found {
  readonly blocks: readonly Block[]
  readonly next: number
}

function blockAt(
  lines: readonly Line[],
  at: number,
  frame: Frame,
  context: RegionContext,
  before: readonly Block[],
): Found {
  const line = lines[at] ?? toLine([])
  const table = line.segments[0]?.table
  if (table) return { blocks: [tableBlock(table, [line], context)], next: at + 1 }
  const code = codeEnd(lines, at, frame, context)
  if (code > at) {
    const some = lines.slice(at, code)
    return { blocks: [{ kind: 'code', text: codeText(some), ...placeOf(some, context) }], next: code }
  }
  const contents = contentsLine(line) ?? contentsPage(lines, at)
  if (contents) {
    const depth = depthOf(line, frame)
    return {
      blocks: [{ kind: 'item', runs: contents, number: undefined, depth, ...placeOf([line], context) }],
      next: at + 1,
    }
  }
  const aligned = alignedAt(lines, at, context.zones)
  const formula = aligned && isGrid(aligned.lines) ? at : formulaEnd(lines, at, { ...frame, ...context })
  if (formula > at) return { blocks: formulaBlocks(lines.slice(at, formula), context), next: formula }
  if (aligned) {
    const some = aligned.lines
    if (isAtStart(line, context, before) && areCentred(some, aligned))
      return { blocks: nameBlocks(some, aligned, context), next: aligned.to }
    const found = readAligned(some, aligned, context.words)
    if (found) return { blocks: [tableBlock(found, some, context)], next: aligned.to }
  }
  const mark = isLoneBullet(line) ? loneMark(lines[at + 1]) : trustedMark(lines, at, frame, before)
  return mark ? itemAt(lines, at, mark, frame, context) : textAt(lines, at, frame, context)
}

/**
 * Returns whether the line may belong to the title and authors of a paper: it is on the first page, has only short blocks
 * before it, and is not between ruled lines.
 */
function isAtStart(line: Line, { page, zones }: RegionContext, before: readonly Block[]): boolean {
  return page === 1 && !zoneAt(zones, line) && before.every((block) => block.kind === 'text' && block.text.length < 200)
}

function nameBlocks(lines: readonly Line[], table: AlignedTable, context: RegionContext): Block[] {
  return columnsOf(lines, table).map((column) => {
    const some = column.map((segments) => toLine(segments))
    const runs = some.reduce((all: readonly Run[], line) => joinRuns(all, line.runs, context.words), [])
    // Names are larger than their affiliations, but not headings.
    const { size, face } = some.at(-1) ?? toLine([])
    const look = { size, face, lines: some.length, role: undefined }
    return { kind: 'text', runs, text: textOf(runs), ...look, ...placeOf(some, context) }
  })
}

function formulaBlocks(lines: readonly Line[], context: RegionContext): Block[] {
  return formulasOf(lines).map((line) => ({ kind: 'formula', runs: line.runs, ...placeOf([line], context) }))
}

function tableBlock(table: Table, lines: readonly Line[], context: RegionContext): Block {
  return { kind: 'table', ...table, ...placeOf(lines, context) }
}

function placeOf(lines: readonly Line[], { page, isRotated }: RegionContext): Pick<Block, 'page' | 'box'> {
  return isRotated ? { page } : { page, box: boundingBox(lines) }
}

function depthOf(line: Line, frame: Frame): number {
  return Math.max(0, Math.min(4, Math.round((line.left - frame.left) / (frame.size * 1.8))))
}

/** Returns the end of a run of code that begins here. A single line counts if it is set apart from its surroundings. */
function codeEnd(lines: readonly Line[], at: number, frame: Frame, { isMono }: RegionContext): number {
  const isCode = (line: Line | undefined): line is Line =>
    line !== undefined && (line.role === 'Code' || (!isMono && isMonoLine(line) && !markOf(line)?.isSure))
  let end = at
  while (isCode(lines[end]) && (end === at || (lines[end]?.y ?? 0) - (lines[end - 1]?.y ?? 0) < frame.leading * 2.6))
    end += 1
  if (end !== at + 1) return end
  const [line, above, below] = [lines[at], lines[at - 1], lines[end]]
  const isApart = (other: Line | undefined): boolean =>
    !other ||
    !line ||
    Math.abs(other.left - line.left) > frame.size * 0.8 ||
    Math.abs(other.y - line.y) > frame.leading * 1.3
  return isApart(above) && isApart(below) ? end : at
}

function loneMark(line: Line | undefined): Mark | undefined {
  return line && { number: undefined, runs: [], left: line.left, isSure: true }
}

/** Returns the list mark of a line. A number or a dash counts only where it cannot continue a sentence. */
function trustedMark(lines: readonly Line[], at: number, frame: Frame, before: readonly Block[]): Mark | undefined {
  const line = lines[at]
  const mark = line && markOf(line)
  if (!line || !mark || mark.isSure) return mark
  const { letter } = mark
  if (
    letter === undefined
      ? before.at(-1)?.kind === 'item'
      : before.slice(-6).some((block) => isLetterBefore(block, letter))
  )
    return mark
  const next = lines[at + 1]
  const isHanging = next !== undefined && next.left >= mark.left - 2 && next.left > line.left + 2
  const follower = lines.slice(at + 1, at + 8).some((other) => isNextMark(markOf(other), mark, other, line))
  return isHanging || follower ? mark : undefined
}

function isLetterBefore(block: Block, letter: string): boolean {
  const before = block.kind === 'item' ? letterOf(textOf(block.runs)) : undefined
  return before !== undefined && followsLetter(before, letter)
}

function isNextMark(other: Mark | undefined, mark: Mark, line: Line, first: Line): boolean {
  if (!other || Math.abs(line.left - first.left) > first.size) return false
  if (mark.letter !== undefined) return other.letter !== undefined && followsLetter(mark.letter, other.letter)
  return mark.number === undefined ? other.number === undefined : other.number === mark.number + 1
}

function itemAt(lines: readonly Line[], at: number, mark: Mark, frame: Frame, context: RegionContext): Found {
  const line = lines[at] ?? toLine([])
  let runs = [...mark.runs]
  let next = at + 1
  for (; next < lines.length; next++) {
    const [other, before] = [lines[next], lines[next - 1]]
    if (!other || !before || other.segments[0]?.table || markOf(other) || isLoneBullet(other)) break
    const isClose = other.y - before.y < Math.max(frame.leading, other.size * 1.2) * 1.3
    const isInside = other.left >= mark.left - other.size * 0.6
    const goesOn =
      runs.length === 0 ||
      isInside ||
      isBackAtMargin(lines, at, next, frame) ||
      (other.left >= line.left - 1 && before.right > frame.right - frame.size * 4 && !isEnd(before.text))
    if (!isClose || !goesOn || isMonoLine(other) || isOtherStyle(before, other)) break
    runs = joinRuns(runs, other.runs, context.words)
  }
  const place = placeOf(lines.slice(at, next), context)
  return { blocks: [{ kind: 'item', runs, number: mark.number, depth: depthOf(line, frame), ...place }], next }
}

/** Returns whether the item is set like a paragraph: only its first line is indented, others begin at the margin. */
function isBackAtMargin(lines: readonly Line[], at: number, next: number, frame: Frame): boolean {
  const [line, before, other] = [lines[at], lines[next - 1], lines[next]]
  if (!line || !before || !other) return false
  const isSetIn = line.left > frame.left + frame.size * 0.7
  const isAtMargin =
    Math.abs(other.left - frame.left) < 1.5 && (next === at + 1 || Math.abs(before.left - frame.left) < 1.5)
  return isSetIn && isAtMargin && before.right > frame.right - frame.size * 1.5
}

function textAt(lines: readonly Line[], at: number, frame: Frame, context: RegionContext): Found {
  const first = lines[at] ?? toLine([])
  let { runs } = first
  let next = at + 1
  for (; next < lines.length; next++) {
    const [line, before] = [lines[next], lines[next - 1]]
    if (!line || !before || isBreak(lines, next, at, frame, context)) break
    runs = joinRuns(runs, line.runs, context.words)
  }
  const block: Block = {
    kind: 'text',
    runs,
    text: textOf(runs),
    size: first.size,
    face: first.face,
    lines: next - at,
    role: first.role,
    ...placeOf(lines.slice(at, next), context),
  }
  return { blocks: [block], next }
}

const isEnd = (text: string): boolean => /[.!?:;\u3002\uff01\uff1f]["'\u201d\u2019)\]]?$/u.test(text)

/** Returns whether this line begins a new block, after a paragraph that began at `start`. */
function isBreak(lines: readonly Line[], at: number, start: number, frame: Frame, context: RegionContext): boolean {
  const [line, before] = [lines[at], lines[at - 1]]
  if (!line || !before) return true
  return (
    isOtherThing(lines, at, frame, context) ||
    isTitle(line, context) ||
    (at - start === 1 && isTitle(before, context)) ||
    isOtherStyle(before, line) ||
    isFarBelow(lines, at, start, frame) ||
    isIndented(lines, at, start, frame) ||
    isShort(before, line, frame) ||
    isAfterCode(before, line, frame) ||
    (!isBold(line) && line.size <= frame.size * 1.1 && isStacked(lines, at, frame)) ||
    trustedMark(lines, at, frame, []) !== undefined
  )
}

/** Returns whether this line is not part of a paragraph, but of a table, a list item or code, for example. */
function isOtherThing(lines: readonly Line[], at: number, frame: Frame, context: RegionContext): boolean {
  const line = lines[at]
  if (!line || line.segments[0]?.table || isLoneBullet(line) || markOf(line)?.isSure) return true
  if (contentsLine(line) || contentsPage(lines, at)) return true
  if (codeEnd(lines, at, frame, context) > at || formulaEnd(lines, at, { ...frame, ...context }) > at) return true
  return alignedAt(lines, at, context.zones) !== undefined
}

function isFarBelow(lines: readonly Line[], at: number, start: number, frame: Frame): boolean {
  const [line, before, above] = [lines[at], lines[at - 1], lines[at - 2]]
  if (!line || !before) return true
  const step = line.y - before.y
  const usual = above && at - start > 1 ? before.y - above.y : Math.max(frame.leading, line.size * 1.15)
  return step > usual * 1.28 || step > line.size * 2.4
}

function isTitle({ text }: Line, { titles }: RegionContext): boolean {
  return titles.size > 0 && text.length < 120 && titles.has(titleKey(text))
}

function isOtherStyle(before: Line, line: Line): boolean {
  if (line.role !== before.role) return true
  const ratio = Math.max(before.size, line.size) / Math.min(before.size, line.size)
  return ratio > 1.12 || isBold(before) !== isBold(line)
}

function isBold({ runs }: Line): boolean {
  return runs.every(({ bold, text }) => bold || text.trim() === '')
}

/** Returns whether the line is indented compared with those before and after it, as the first line of a paragraph. */
function isIndented(lines: readonly Line[], at: number, start: number, frame: Frame): boolean {
  const [line, before, next] = [lines[at], lines[at - 1], lines[at + 1]]
  if (!line || !before) return false
  const step = line.left - before.left
  if (step < frame.size * 0.7 || step > frame.size * 5) return false
  const isHanging =
    next !== undefined &&
    at - start === 1 &&
    Math.abs(next.left - line.left) < 1.5 &&
    next.y - line.y < frame.leading * 1.3
  return !isHanging || isEnd(before.text)
}

/** Returns whether the previous line is code that ends well before the margin, and this one is not code. */
function isAfterCode(before: Line, line: Line, frame: Frame): boolean {
  return isMonoLine(before) && !isMonoLine(line) && frame.right - before.right > (frame.right - frame.left) * 0.25
}

/**
 * Returns whether the previous line ends its paragraph: its sentence ends well before the margin, where the next word would
 * have fitted.
 */
function isShort(before: Line, line: Line, frame: Frame): boolean {
  const room = frame.right - before.right
  const word = (line.text.indexOf(' ') + 1 || line.text.length) * line.size * 0.5
  const isRagged = room > Math.max(frame.size * 3, word * 1.6)
  return (
    isRagged &&
    isEnd(before.text) &&
    /^[\p{Lu}\p{N}"'\u201c([]/u.test(line.text) &&
    room > (frame.right - frame.left) * 0.2
  )
}
