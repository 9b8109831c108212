// Reads the styles and the lists of a document.
import type { DocFile } from './file.ts'
import { applyModifiers, type Properties } from './properties.ts'

export interface DocStyle {
  /** 1 to 6, or `undefined` for body text. */
  readonly heading: number | undefined
  readonly block: 'quote' | 'code' | undefined
  readonly properties: Properties
}

const titleStyle = 62
const maxStyles = 4_095
const maxChain = 10
const noStyle = 0xfff
const quoteName = /^(?:(?:intense )?quote|quotations|block text)$/i
const codeName = /^(?:html preformatted|preformatted text|source code)$/i

interface RawStyle {
  /** Number of the built-in style: 1 to 9 are headings. */
  readonly builtIn: number
  readonly basedOn: number
  readonly name: string
  readonly properties: Properties
}

/** Returns the paragraph styles by number. Missing properties are inherited from the style that it is based on. */
export function docStyles(file: DocFile): (style: number | undefined) => DocStyle {
  const raw = rawStyles(file.part(1))
  const known = new Map<number, DocStyle>()
  return (style = 0) => {
    const found = known.get(style) ?? resolve(style, raw)
    known.set(style, found)
    return found
  }
}

function resolve(style: number, raw: readonly (RawStyle | undefined)[]): DocStyle {
  let properties: Properties = {}
  let heading: number | undefined
  let block: DocStyle['block']
  let next = raw[style]
  for (let depth = 0; next && depth < maxChain; depth += 1) {
    properties = { ...next.properties, ...properties }
    if (next.builtIn >= 1 && next.builtIn <= 9) heading ??= Math.min(next.builtIn, 6)
    if (next.builtIn === titleStyle) heading ??= 1
    block ??= quoteName.test(next.name) ? 'quote' : codeName.test(next.name) ? 'code' : undefined
    next = next.basedOn === noStyle ? undefined : raw[next.basedOn]
  }
  const { outline } = properties
  heading ??= outline !== undefined && outline < 9 ? Math.min(outline + 1, 6) : undefined
  return { heading, block, properties }
}

function rawStyles(sheet: Buffer): readonly (RawStyle | undefined)[] {
  if (sheet.length < 6) return []
  const head = sheet.readUInt16LE(0)
  const count = Math.min(sheet.readUInt16LE(2), maxStyles)
  const baseSize = sheet.readUInt16LE(4)
  const styles: (RawStyle | undefined)[] = []
  let at = 2 + head
  while (styles.length < count && at + 2 <= sheet.length) {
    const size = sheet.readUInt16LE(at)
    const style = sheet.subarray(at + 2, at + 2 + size)
    styles.push(style.length < Math.max(10, baseSize) ? undefined : readStyle(style, baseSize))
    at += 2 + size + (size % 2)
  }
  return styles
}

const paragraphStyle = 1

function readStyle(style: Buffer, baseSize: number): RawStyle | undefined {
  const kind = style.readUInt16LE(2) & 0xf
  if (kind !== paragraphStyle) return undefined
  const properties: Properties = {}
  let name = ''
  if (baseSize + 2 <= style.length) {
    const end = baseSize + 2 + 2 * style.readUInt16LE(baseSize)
    const start = end + 2
    name = style.toString('utf16le', baseSize + 2, Math.min(end, style.length))
    if (start + 2 <= style.length) {
      const size = style.readUInt16LE(start)
      applyModifiers(style.subarray(start + 4, start + 2 + size), properties)
    }
  }
  return { builtIn: style.readUInt16LE(0) & noStyle, basedOn: style.readUInt16LE(2) >> 4, name, properties }
}

/** A list of the document. */
export interface DocList {
  /** Identifies the list: paragraphs of the same one continue its numbers. */
  readonly id: number
  /** Returns the first number of a level, or `undefined` for bullets. */
  readonly start: (level: number) => number | undefined
}

const bulletFormat = 23
const noFormat = 255
const listsPart = 73
const listOverridesPart = 74
const levelSize = 28
const maxLevels = 9

type Starts = readonly (number | undefined)[]

/** Returns a function for the list with a number, from 1. `undefined` for a number that the file does not define. */
export function docLists(file: DocFile): (number: number) => DocList | undefined {
  const starts = listStarts(file)
  const overrides = file.part(listOverridesPart)
  const count = overrides.length < 4 ? 0 : Math.min(overrides.readUInt32LE(0), Math.floor((overrides.length - 4) / 16))
  return (number) => {
    if (number < 1 || number > count) return undefined
    const id = overrides.readInt32LE(4 + (number - 1) * 16)
    const levels = starts.get(id)
    return levels && { id, start: (level) => levels[Math.min(level, levels.length - 1)] }
  }
}

/** Returns the first number of each level, or `undefined` for bullets, of each list by its id. */
function listStarts(file: DocFile): ReadonlyMap<number, Starts> {
  const found = new Map<number, Starts>()
  const lists = file.part(listsPart)
  if (lists.length < 2) return found
  const count = Math.min(lists.readUInt16LE(0), Math.floor((lists.length - 2) / 28))
  // The levels of all lists follow the lists, also outside of the part's size.
  const levels = file.after(listsPart, 2 + count * 28)
  let at = 0
  for (let index = 0; index < count; index += 1) {
    const list = 2 + index * 28
    const isSimple = ((lists[list + 26] ?? 0) & 1) === 1
    const own: (number | undefined)[] = []
    for (let level = 0; level < (isSimple ? 1 : maxLevels); level += 1) {
      if (at + levelSize + 2 > levels.length) return found
      const format = levels[at + 4]
      own.push(format === bulletFormat || format === noFormat ? undefined : levels.readInt32LE(at))
      at += levelSize + (levels[at + 24] ?? 0) + (levels[at + 25] ?? 0)
      if (at + 2 > levels.length) return found
      at += 2 + 2 * levels.readUInt16LE(at)
    }
    found.set(lists.readInt32LE(list), own)
  }
  return found
}
