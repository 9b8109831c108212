// The shapes of a slide, in their order. Tables are groups of shapes, whose positions give rows and columns.
import { table, type Blocks } from '../html/blocks.ts'
import { recordOf, recordsIn, types, type PptRecord } from './records.ts'
import { addText, cellHtml, isTitle, textBoxOf, type PptText } from './text.ts'

export interface ShapeWork {
  /** Texts of the placeholders, which shapes refer to by number. */
  readonly outline: readonly PptText[]
  readonly blocks: Blocks
  readonly take: () => boolean
  readonly title: (text: PptText) => void
}

const maxDepth = 30

/** Adds the shapes of a slide: their text, and tables. */
export function addShapes(slide: Buffer, work: ShapeWork): void {
  for (const shape of shapesOf(slide)) {
    if (shape.type !== types.group) addShape(shape, work)
    else if (isTable(shape)) work.blocks.add(tableOf(shape, work))
    else for (const inner of innerShapes(shape.data, 0)) addShape(inner, work)
  }
}

/** Returns the texts of all shapes of a slide or of its notes. */
export function textsOfShapes(slide: Buffer, outline: readonly PptText[]): PptText[] {
  return shapesOf(slide)
    .flatMap((shape) => (shape.type === types.group ? [...innerShapes(shape.data, 0)] : [shape]))
    .flatMap((shape) => textOf(shape, outline) ?? [])
}

/** Returns the shapes and groups of a slide. The first shape of the group around all of them is the page itself. */
function shapesOf(slide: Buffer): PptRecord[] {
  const drawing = recordOf(slide, types.drawing)
  const container = drawing && recordOf(drawing.data, types.drawingContainer)
  const page = container && recordOf(container.data, types.group)
  return page ? [...recordsIn(page.data)].filter(({ type }) => type === types.shape || type === types.group) : []
}

function* innerShapes(group: Buffer, depth: number): Generator<PptRecord> {
  for (const record of recordsIn(group)) {
    if (record.type === types.shape) yield record
    else if (record.type === types.group && depth < maxDepth) yield* innerShapes(record.data, depth + 1)
  }
}

function addShape(shape: PptRecord, work: ShapeWork): void {
  const text = textOf(shape, work.outline)
  if (!text || text.isRepeated) return
  if (isTitle(text)) work.title(text)
  else addText(text, work.blocks, work.take)
}

function textOf({ data }: PptRecord, outline: readonly PptText[]): PptText | undefined {
  const box = recordOf(data, types.textBox)
  if (!box) return undefined
  const { text, outline: index } = textBoxOf(box.data)
  const found = index === undefined ? text : outline[index]
  return found && isTitleShape(data) ? { ...found, kind: 0 } : found
}

const titlePlaceholders: ReadonlySet<number | undefined> = new Set([1, 3, 13, 15])

/** Returns whether a shape is the placeholder of a title. Not every application marks its text as one. */
function isTitleShape(shape: Buffer): boolean {
  const client = recordOf(shape, types.clientData)
  const placeholder = client && recordOf(client.data, types.placeholder)
  return titlePlaceholders.has(placeholder?.data[4])
}

const tableProperty = 0x39f

/** Returns whether a group has the property of tables. */
function isTable({ data }: PptRecord): boolean {
  const first = recordOf(data, types.shape)
  if (!first) return false
  return [...recordsIn(first.data)].some(
    ({ type, instance, data: list }) =>
      (type === types.properties || type === types.moreProperties) && hasTableFlag(list, instance),
  )
}

function hasTableFlag(list: Buffer, count: number): boolean {
  for (let index = 0; index < count && index * 6 + 6 <= list.length; index += 1) {
    if ((list.readUInt16LE(index * 6) & 0x3fff) === tableProperty) return (list.readUInt32LE(index * 6 + 2) & 1) === 1
  }
  return false
}

interface PlacedCell {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly html: string
}

function tableOf(group: PptRecord, { outline, take }: ShapeWork): string {
  const cells: PlacedCell[] = []
  for (const shape of recordsIn(group.data)) {
    if (shape.type !== types.shape) continue
    const anchor = recordOf(shape.data, types.childAnchor)
    const text = textOf(shape, outline)
    if (!anchor || anchor.data.length < 16 || !text) continue
    if (!take()) break
    const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((at) => anchor.data.readInt32LE(at))
    cells.push({ left, top, right, bottom, html: cellHtml(text) })
  }
  const lefts = edgesOf(cells.map(({ left }) => left))
  const tops = edgesOf(cells.map(({ top }) => top))
  const span = (edges: readonly number[], from: number, to: number): number =>
    Math.max(1, edges.filter((edge) => edge >= from && edge < to).length)
  const rows = tops.map((top) =>
    cells
      .filter((cell) => cell.top === top)
      .toSorted((one, other) => one.left - other.left)
      .map(({ left, right, bottom, html }) => ({
        html,
        columns: span(lefts, left, right),
        rows: span(tops, top, bottom),
      })),
  )
  return table(rows, 1)
}

const maxEdges = 1_000

function edgesOf(values: readonly number[]): readonly number[] {
  return [...new Set(values)].toSorted((one, other) => one - other).slice(0, maxEdges)
}
