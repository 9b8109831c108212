// Tables of RTF, which consist only of rows with the positions of their cells' right edges.
import { table, type Cell } from '../html/blocks.ts'

interface CellShape {
  readonly right: number
  readonly isOn: 'down' | 'across' | undefined
}

interface Row {
  readonly cells: readonly { readonly html: string; readonly shape: CellShape | undefined }[]
  readonly isHead: boolean
}

export interface RtfTable {
  /** `\trowd`: the following words define the next row. */
  beginRow(): void
  describe(word: string, value: number | undefined): void
  cell(html: string): void
  endRow(): void
  /** Ends the table and returns its HTML. */
  take(): string
}

// Edges closer than this (in twips) are the same edge, because applications round.
const slack = 30
const maxEdges = 200

/** Creates a table that is filled in the order in which RTF writes its rows and cells. */
export function makeRtfTable(): RtfTable {
  let shapes: CellShape[] = []
  let isOn: CellShape['isOn']
  let isHead = false
  let cells: string[] = []
  let rows: Row[] = []
  const endRow = (): void => {
    if (cells.length === 0) return
    rows.push({ cells: cells.map((html, index) => ({ html, shape: shapes[index] })), isHead })
    cells = []
  }
  return {
    beginRow: () => {
      shapes = []
      isHead = false
      isOn = undefined
    },
    describe: (word, value) => {
      if (word === 'clvmrg') isOn = 'down'
      else if (word === 'clmrg') isOn = 'across'
      else if (word === 'trhdr' || (word === 'tbllkhdrrows' && rows.length === 0)) isHead = true
      else if (word === 'cellx') {
        shapes.push({ right: value ?? 0, isOn })
        isOn = undefined
      }
    },
    cell: (html) => cells.push(html),
    endRow,
    take: () => {
      endRow()
      const taken = rows
      rows = []
      return writeTable(taken)
    },
  }
}

function writeTable(rows: readonly Row[]): string {
  const edges = edgesOf(rows)
  const columnAt = (right: number): number => edges.findIndex((edge) => Math.abs(edge - right) <= slack)
  const open = new Map<number, { columns: number; rows: number; html: string }>()
  const lines = rows.map(({ cells }) => {
    const line: { columns: number; rows: number; html: string }[] = []
    let from = -1
    for (const { html, shape } of cells) {
      const to = shape ? columnAt(shape.right) : -1
      const last = line[line.length - 1]
      if (shape?.isOn === 'across' && last) {
        last.columns += Math.max(1, to - from)
      } else if (shape?.isOn === 'down' && open.has(from + 1)) {
        const above = open.get(from + 1)
        if (above) above.rows += 1
      } else {
        const cell = { html, columns: to > from ? to - from : 1, rows: 1 }
        open.set(from + 1, cell)
        line.push(cell)
      }
      from = Math.max(to, from + 1)
    }
    return line satisfies Cell[]
  })
  const heads = rows.findIndex(({ isHead }) => !isHead)
  return table(lines, heads < 0 ? Math.min(rows.length, 1) : heads)
}

/**
 * Returns the positions of all right edges, in order. Returns none if there are too many: the table is then written without
 * spans.
 */
function edgesOf(rows: readonly Row[]): readonly number[] {
  const all = new Set<number>()
  for (const { cells } of rows) for (const { shape } of cells) if (shape) all.add(shape.right)
  if (all.size > maxEdges) return []
  const edges: number[] = []
  for (const edge of [...all].toSorted((a, b) => a - b)) {
    if (edges.length === 0 || edge - (edges[edges.length - 1] as number) > slack) edges.push(edge)
  }
  return edges
}
