// Reads the properties of paragraphs and text runs, which are stored by offset in the main stream.

/** The properties that change the output. Absent ones are inherited from the style. */
export interface Properties {
  style?: number
  isInTable?: boolean
  isRowEnd?: boolean
  /** 0 to 8 for headings, 9 for body text. */
  outline?: number
  level?: number
  /** Number of the list, from 1; 0 for none. */
  list?: number
  isHead?: boolean
  bold?: boolean
  italic?: boolean
  strike?: boolean
  /** 1 for superscript, 2 for subscript. */
  script?: number
  isHidden?: boolean
  isDeleted?: boolean
  /** Definition of the cells of a row. */
  cells?: Buffer
  /** Vertical merges by cell: 1 for a cell that continues the one above, 3 for the first one. */
  merges?: ReadonlyMap<number, number>
}

type Apply = (properties: Properties, operand: Buffer) => void

// 0x80 and 0x81 are relative to the style, whose text is not bold or italic here.
const isOn = (operand: Buffer): boolean => (operand[0] ?? 0) % 0x80 === 1

/** Text above or below the line is super- or subscript. */
function scriptOf(halfPoints: number): number {
  return halfPoints > 0 ? 1 : halfPoints < 0 ? 2 : 0
}

/** The effect of each property modifier. Others are skipped. */
const modifiers: ReadonlyMap<number, Apply> = new Map<number, Apply>([
  [0x2416, (found, operand) => void (found.isInTable = operand[0] !== 0)],
  [0x2417, (found, operand) => void (found.isRowEnd = operand[0] !== 0)],
  [0x2640, (found, operand) => void (found.outline = operand[0] ?? 9)],
  [0x260a, (found, operand) => void (found.level = operand[0] ?? 0)],
  [0x460b, (found, operand) => void (found.list = operand.readUInt16LE(0))],
  [0x3404, (found, operand) => void (found.isHead = operand[0] !== 0)],
  [0x0835, (found, operand) => void (found.bold = isOn(operand))],
  [0x0836, (found, operand) => void (found.italic = isOn(operand))],
  [0x0837, (found, operand) => void (found.strike = isOn(operand))],
  [0x2a48, (found, operand) => void (found.script = operand[0] ?? 0)],
  [0x4845, (found, operand) => void (found.script ??= scriptOf(operand.readInt16LE(0)))],
  [0x083c, (found, operand) => void (found.isHidden = isOn(operand))],
  [0x0800, (found, operand) => void (found.isDeleted = isOn(operand))],
  [0xd608, (found, operand) => void (found.cells = operand)],
  [0xd62b, (found, operand) => void (found.merges = new Map(found.merges).set(operand[0] ?? 0, (operand[1] ?? 0) & 3))],
])

const sizes = [1, 1, 2, 4, 2, 2, 0, 3]
const cellDefinition = 0xd608

/** Applies a list of property modifiers. Ends at the first one that is truncated. */
export function applyModifiers(list: Buffer, properties: Properties): void {
  let at = 0
  while (at + 2 <= list.length) {
    const code = list.readUInt16LE(at)
    at += 2
    const spra = code >> 13
    if (at >= list.length) return
    // The length of a definition of cells has two bytes, and counts one byte that does not exist.
    const isWide = code === cellDefinition && at + 2 <= list.length
    const head = spra !== 6 ? 0 : isWide ? 2 : 1
    const size = spra !== 6 ? (sizes[spra] ?? 0) : isWide ? list.readUInt16LE(at) - 1 : (list[at] ?? 0)
    const operand = list.subarray(at + head, at + head + size)
    if (size < 0 || operand.length < size) return
    modifiers.get(code)?.(properties, operand)
    at += head + size
  }
}

const pageSize = 512

/** Finds the properties of the text at an offset, and the offset where they end. */
export type PropertiesAt = (offset: number) => { readonly properties: Properties; readonly end: number }

const none: Properties = {}

/** Returns a lookup of the properties of paragraphs. `plc` lists the pages that have them. */
export function paragraphProperties(plc: Buffer, main: Buffer): PropertiesAt {
  return lookup(plc, main, 13, (page, offset) => {
    const short = page[offset] ?? 0
    const start = short === 0 ? offset + 2 : offset + 1
    const length = short === 0 ? 2 * (page[offset + 1] ?? 0) : 2 * short - 1
    const body = page.subarray(start, start + length)
    if (body.length < 2) return none
    const properties: Properties = { style: body.readUInt16LE(0) }
    applyModifiers(body.subarray(2), properties)
    return properties
  })
}

/** Returns a lookup of the properties of text runs. `plc` lists the pages that have them. */
export function textProperties(plc: Buffer, main: Buffer): PropertiesAt {
  return lookup(plc, main, 1, (page, offset) => {
    const properties: Properties = {}
    applyModifiers(page.subarray(offset + 1, offset + 1 + (page[offset] ?? 0)), properties)
    return properties
  })
}

function lookup(
  plc: Buffer,
  main: Buffer,
  entrySize: number,
  read: (page: Buffer, offset: number) => Properties,
): PropertiesAt {
  const pages = Math.max(0, Math.floor((plc.length - 4) / 8))
  const starts = Array.from({ length: pages + 1 }, (_, index) =>
    index * 4 + 4 <= plc.length ? plc.readUInt32LE(index * 4) : 0,
  )
  return (offset) => {
    const index = lastAtMost(starts, offset)
    if (index < 0 || index >= pages) return { properties: none, end: starts[index + 1] ?? Number.POSITIVE_INFINITY }
    const start = (plc.readUInt32LE((pages + 1) * 4 + index * 4) & 0x3fffff) * pageSize
    const page = main.subarray(start, start + pageSize)
    if (page.length < pageSize) return { properties: none, end: starts[index + 1] ?? Number.POSITIVE_INFINITY }
    const count = Math.min(page[pageSize - 1] ?? 0, Math.floor((pageSize - 5) / (4 + entrySize)))
    const edges = Array.from({ length: count + 1 }, (_, run) => page.readUInt32LE(run * 4))
    const run = lastAtMost(edges, offset)
    if (run < 0 || run >= count) return { properties: none, end: starts[index + 1] ?? Number.POSITIVE_INFINITY }
    const place = 2 * (page[(count + 1) * 4 + run * entrySize] ?? 0)
    return { properties: place === 0 ? none : read(page, place), end: edges[run + 1] ?? offset }
  }
}

/** Returns the index of the last number that is not greater than the value, or -1. */
function lastAtMost(numbers: readonly number[], value: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
