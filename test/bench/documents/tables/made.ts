// Tables whose cells are known, and the documents that contain them.

export type Style = 'ruled' | 'booktabs' | 'zebra' | 'plain' | 'rows'
/**
 * Cells of several lines are in the last column (`multiline`), in the middle ones (`wrapped`), or also in the first one (`names`).
 * `long` and `tall` tables have several pages. The rows of `tall` ones have many lines, so Chromium and LibreOffice split some.
 */
export type Kind =
  | 'text'
  | 'numbers'
  | 'empty'
  | 'multiline'
  | 'wrapped'
  | 'names'
  | 'colspan'
  | 'rowspan'
  | 'long'
  | 'tall'
/** Tables of several pages repeat their head on each, except in `once`. The pages of `running` have a header and a footer. */
export type Layout = 'alone' | 'two' | 'beside' | 'columns' | 'once' | 'running'

export interface MadeCell {
  readonly text: string
  readonly row: number
  readonly column: number
  readonly colspan: number
  readonly rowspan: number
}

export interface MadeTable {
  readonly style: Style
  readonly kind: Kind
  readonly cells: readonly MadeCell[]
  readonly rows: number
  readonly columns: number
  /** Number of rows of the head. */
  readonly head: number
  readonly isRight: (column: number) => boolean
  readonly isWide: (column: number) => boolean
}

export interface MadeDocument {
  readonly name: string
  readonly maker: 'chromium' | 'writer' | 'calc' | 'latex'
  readonly layout: Layout
  readonly tables: readonly MadeTable[]
}

const nouns =
  'harbour river engine ledger copper orchard signal lantern meadow vessel quarry bridge timber garden market station valley canvas anchor furnace'.split(
    ' ',
  )
const verbs = 'carries holds measures reports covers follows joins repeats crosses limits'.split(' ')

function word(seed: number): string {
  return nouns[(seed * 7 + 3) % nouns.length] ?? ''
}

export function sentence(seed: number): string {
  const [a, b, c, d] = [seed, seed + 5, seed + 11, seed + 2].map((each) => nouns[(each * 3) % nouns.length])
  return `The ${a} ${verbs[seed % verbs.length]} the ${b} near the ${c}, and every ${d} is counted before the end of the year.`
}

/** A paragraph of prose around the tables. */
export function paragraph(seed: number): string {
  return Array.from({ length: 5 }, (_, index) => sentence(seed * 5 + index)).join(' ')
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The columns whose cells have several lines. */
const wideColumns: Readonly<Partial<Record<Kind, readonly number[]>>> = {
  multiline: [2],
  wrapped: [1, 2],
  names: [0, 2],
  tall: [2],
}

function textOf(kind: Kind, row: number, column: number, seed: number): string {
  const at = seed * 31 + row * 5 + column
  if (row === 0) return capital(column === 0 ? word(seed) : `${word(at)} ${column}`)
  if (kind === 'names' && column === 0)
    return `${capital(word(at))} ${word(at + 1)} and ${word(at + 2)} of the ${word(at + 3)} ${row}`
  if (column === 0) return `${capital(word(at))} ${row}`
  if (kind === 'empty' && (at * 13) % 5 < 2) return ''
  if (kind === 'wrapped' && column === 1) return `${sentence(at).slice(0, -50).trimEnd()} ${row}`
  if (kind === 'tall' && column === 2) return [at, at + 1, at + 3].map(sentence).join(' ')
  if (wideColumns[kind]?.includes(column)) return sentence(at).slice(0, -1)
  const isNumber = kind === 'numbers' || kind === 'long' || (column > 1 && kind !== 'text')
  return isNumber
    ? (((at * 7919) % 100_000) / 10 ** (column % 3)).toLocaleString('en-US')
    : `${word(at)} ${word(at + 4)}`
}

export function makeTable(style: Style, kind: Kind, seed: number): MadeTable {
  const isWide = (column: number): boolean => wideColumns[kind]?.includes(column) === true
  const rows = kind === 'long' ? 90 : kind === 'tall' ? 24 : wideColumns[kind] ? 5 : 7
  const columns = kind === 'wrapped' ? 4 : wideColumns[kind] ? 3 : 4 + (seed % 2)
  const head = kind === 'colspan' ? 2 : 1
  const cells: MadeCell[] = []
  const taken = new Set<string>()
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (taken.has(`${row} ${column}`)) continue
      const colspan =
        kind === 'colspan' && row === 0 && (column === 1 || column === 3) ? Math.min(2, columns - column) : 1
      const rowspan =
        kind === 'rowspan' && column === 0 && (row === 1 || row === 4)
          ? 3
          : kind === 'colspan' && row === 0 && column === 0
            ? 2
            : 1
      for (let r = row; r < row + rowspan; r++) for (let c = column; c < column + colspan; c++) taken.add(`${r} ${c}`)
      // The second row of a head has its own words.
      const text = kind === 'colspan' && row === 1 ? capital(word(seed + column * 3)) : textOf(kind, row, column, seed)
      cells.push({ text, row, column, colspan, rowspan })
    }
  }
  const isRight = (column: number): boolean => column > 0 && kind === 'numbers'
  return { style, kind, cells, rows, columns, head, isRight, isWide }
}

type Plan = readonly [maker: MadeDocument['maker'], layout: Layout, ...tables: `${Style} ${Kind}`[]]

const plans: readonly Plan[] = [
  ...(['ruled', 'booktabs', 'zebra', 'plain', 'rows'] as const).flatMap((style) =>
    (['text', 'numbers', 'empty', 'multiline'] as const).map((kind): Plan => ['chromium', 'alone', `${style} ${kind}`]),
  ),
  ...(['ruled', 'booktabs'] as const).map((style): Plan => ['chromium', 'alone', `${style} colspan`]),
  ...(['ruled', 'rows'] as const).map((style): Plan => ['chromium', 'alone', `${style} rowspan`]),
  ['chromium', 'alone', 'ruled long'],
  ['chromium', 'alone', 'booktabs long'],
  ['chromium', 'two', 'ruled text', 'booktabs numbers'],
  ['chromium', 'beside', 'zebra empty'],
  ['chromium', 'beside', 'ruled text'],
  ['chromium', 'columns', 'booktabs numbers', 'ruled empty'],
  ...(['ruled', 'booktabs', 'plain'] as const).flatMap((style) =>
    (['text', 'numbers', 'empty', 'multiline'] as const).map((kind): Plan => ['latex', 'alone', `${style} ${kind}`]),
  ),
  ['latex', 'alone', 'ruled colspan'],
  ['latex', 'alone', 'booktabs colspan'],
  ['latex', 'alone', 'ruled long'],
  ['latex', 'alone', 'booktabs long'],
  ['latex', 'two', 'booktabs text', 'ruled numbers'],
  ['latex', 'beside', 'booktabs numbers'],
  ['latex', 'columns', 'booktabs numbers', 'ruled text'],
  ...(['ruled', 'booktabs', 'plain'] as const).flatMap((style) =>
    (['numbers', 'multiline', 'empty'] as const).map((kind): Plan => ['writer', 'alone', `${style} ${kind}`]),
  ),
  ['writer', 'alone', 'ruled colspan'],
  ['writer', 'alone', 'booktabs colspan'],
  ['writer', 'alone', 'ruled rowspan'],
  ['writer', 'alone', 'ruled long'],
  ['writer', 'alone', 'booktabs long'],
  ['writer', 'two', 'ruled numbers', 'zebra text'],
  ['calc', 'alone', 'plain numbers'],
  ['calc', 'alone', 'ruled empty'],
  ...(['chromium', 'latex', 'writer'] as const).flatMap((maker) =>
    (['plain', 'booktabs'] as const).flatMap((style) =>
      (['wrapped', 'names'] as const).map((kind): Plan => [maker, 'alone', `${style} ${kind}`]),
    ),
  ),
  ['chromium', 'columns', 'plain numbers', 'plain empty'],
  ['latex', 'two', 'plain empty', 'plain wrapped'],
  ...(['chromium', 'latex', 'writer'] as const).flatMap((maker): Plan[] => [
    [maker, 'alone', 'plain long'],
    [maker, 'once', 'ruled long'],
    [maker, 'once', 'booktabs long'],
    [maker, 'once', 'plain long'],
    [maker, 'running', 'ruled long'],
    [maker, 'running', 'plain long'],
    [maker, 'alone', 'ruled tall'],
    [maker, 'once', 'ruled tall'],
    [maker, 'running', 'booktabs tall'],
  ]),
]

/** All documents of the bench. */
export const documents: readonly MadeDocument[] = plans.map(([maker, layout, ...tables], at) => ({
  name: [String(at + 1).padStart(2, '0'), maker, layout, ...tables].join('-').replaceAll(' ', '-'),
  maker,
  layout,
  tables: tables.map((each, index) => {
    const [style, kind] = each.split(' ') as [Style, Kind]
    return makeTable(style, kind, at * 2 + index + 1)
  }),
}))
