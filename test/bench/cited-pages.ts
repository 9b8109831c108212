// Pages and PDFs about lamps for the bench of citations: four facts each, which changes by rule move, change or remove.
import { lines } from '../../packages/pdf/test/lines.ts'
import { makePdf, type PdfPage } from '../../packages/pdf/test/make-pdf.ts'

export interface Facts {
  readonly name: string
  readonly material: string
  readonly price: string
  readonly stock: string
  readonly delivery: string
}

const names = ['Aurora', 'Luna', 'Stella', 'Vega', 'Lyra', 'Castor', 'Pollux', 'Rigel', 'Mira', 'Altair']
const materials = ['oak', 'ash', 'walnut', 'brass', 'linen']
const heading = 'Lamps by hand'
export const filler = 'Our workshop is near the sea, and visitors are welcome on every weekday in summer.'
const closing = 'We have made lamps for a hundred years.'
const more = 'In winter we are closed, except for the market in the old town hall.'

export function factsOf(page: number, by = 0): Facts {
  const name = `${names[page % names.length]}${page}`
  const material = materials[(page + (by > 0 ? 1 : 0)) % materials.length] ?? ''
  const [price, stock, delivery] = [100 + page + by, 20 + page + by, 3 + page + by].map(String)
  return { name, material, price: price ?? '', stock: stock ?? '', delivery: delivery ?? '' }
}

/** A version of a page. */
export interface PageVersion {
  /** Absent if they were removed. */
  readonly facts?: Facts | undefined
  readonly areFactsLast?: boolean
  readonly moreBefore?: boolean
  readonly moreAfter?: boolean
  /** True for other tags and classes, which a PDF does not have. */
  readonly isRestyled?: boolean
}

export type Status = 'unchanged' | 'moved' | 'changed' | 'gone' | 'unreachable'

interface Rule {
  readonly name: string
  readonly expected: Status
  /** Returns the page after the change, or its status. */
  after(facts: Facts, page: number): PageVersion | number
}

export const rules: readonly Rule[] = [
  { name: 'nothing', expected: 'unchanged', after: (facts) => ({ facts }) },
  {
    name: 'new paragraph after the facts',
    expected: 'unchanged',
    after: (facts) => ({ facts, moreAfter: true }),
  },
  { name: 'other tags and classes', expected: 'unchanged', after: (facts) => ({ facts, isRestyled: true }) },
  { name: 'new paragraph before the facts', expected: 'moved', after: (facts) => ({ facts, moreBefore: true }) },
  { name: 'facts at the end', expected: 'moved', after: (facts) => ({ facts, areFactsLast: true }) },
  { name: 'other values', expected: 'changed', after: (_, page) => ({ facts: factsOf(page, 7) }) },
  {
    name: 'one more digit, another material',
    expected: 'changed',
    after: ({ name, price, stock, delivery }) => ({
      facts: { name, material: 'resin', price: `${price}0`, stock: `${stock}0`, delivery: `${delivery}0` },
    }),
  },
  { name: 'facts removed', expected: 'gone', after: () => ({}) },
  { name: 'status 404', expected: 'gone', after: () => 404 },
  { name: 'status 500', expected: 'unreachable', after: () => 500 },
]

const paragraph = (text: string): string => `<p>${text}</p>`

export function htmlOf(page: number, version: PageVersion): string {
  const { facts, areFactsLast = false, moreBefore = false, moreAfter = false, isRestyled = false } = version
  const written = facts ? factsHtml(facts) : paragraph(more)
  const body = [
    ...(moreBefore ? [paragraph(more)] : []),
    paragraph(filler),
    ...(areFactsLast ? [paragraph(closing), written] : [written, paragraph(closing)]),
    ...(moreAfter ? [paragraph(more)] : []),
  ].join('\n')
  const styled = isRestyled
    ? body.replaceAll('<p>', '<p class="text">').replaceAll(/<\/?b>/g, (tag) => tag.replace('b', 'strong'))
    : body
  return `<title>Lamp ${page}</title><main><h1>${heading}</h1>${styled}</main>`
}

const priceOf = ({ price }: Facts): string => `It costs EUR ${price} with its shade.`
const materialOf = ({ name, material }: Facts, written = material): string => `The ${name} is made of ${written}.`
const deliveryOf = ({ name, delivery }: Facts): string => `Delivery of the ${name} takes ${delivery} days.`
const rowsOf = ({ name, stock }: Facts): readonly (readonly [string, string])[] => [
  ['Lamp', 'Pieces'],
  [name, `${stock} in stock`],
]

function factsHtml(facts: Facts): string {
  const [head = [], row = []] = rowsOf(facts)
  const cells = (tag: string, texts: readonly string[]): string =>
    `<tr>${texts.map((text) => `<${tag}>${text}</${tag}>`).join('')}</tr>`
  return `<p>${materialOf(facts, `<b>${facts.material}</b>`)} ${priceOf(facts)}</p>
<table>${cells('th', head)}${cells('td', row)}</table>
<ul><li>${deliveryOf(facts)}</li></ul>`
}

const [left, width, height] = [72, 595, 842]
const table = { top: 150, row: 20, columns: [72, 200, 330] } as const
/** Where the facts are in a PDF, in points from the top left: material, price, stock and delivery. */
const baselines = { text: 90, row: table.top + table.row + 14, item: 90 } as const

/** Where a fact is in a PDF: its page, and a point in its line as fractions of the page. */
export function placeOfFact(fact: number): { readonly page: number; readonly point: readonly [number, number] } {
  const y = fact < 2 ? baselines.text : fact === 2 ? baselines.row : baselines.item
  return { page: fact < 3 ? 2 : 3, point: [(left + 20) / width, (y - 3) / height] }
}

/** Writes a PDF of three pages. The material, the price and the stock are on the second one, the delivery on the third. */
export function pdfOf({ facts, areFactsLast = false, moreBefore = false, moreAfter = false }: PageVersion): Uint8Array {
  const before = [...(moreBefore ? [more] : []), filler, ...(areFactsLast || !facts ? [closing] : [])]
  const after = [...(areFactsLast || !facts ? [] : [closing]), ...(moreAfter || !facts ? [more] : [])]
  const apart = (texts: readonly string[], from: number) =>
    texts.flatMap((text, index) => lines(left, from + index * 40, [text]))
  const pages: PdfPage[] = [
    { texts: [...lines(left, 90, [heading], { size: 20, font: 'bold' }), ...apart(before, 140)] },
    ...(facts
      ? [
          {
            texts: [...lines(left, baselines.text, [`${materialOf(facts)} ${priceOf(facts)}`]), ...tableTexts(facts)],
            strokes: tableStrokes(),
          },
        ]
      : []),
    {
      texts: [
        ...(facts ? lines(left, baselines.item, [`\u2022 ${deliveryOf(facts)}`]) : []),
        ...apart(after, baselines.item + 60),
      ],
    },
  ]
  return makePdf({ pages: pages.map((page) => ({ width, height, ...page })) })
}

function tableTexts(facts: Facts) {
  return rowsOf(facts).flatMap((row, at) =>
    row.map((text, column) => ({
      text,
      x: (table.columns[column] ?? left) + 6,
      y: table.top + at * table.row + 14,
      size: 10,
    })),
  )
}

function tableStrokes() {
  const { top, row, columns } = table
  const [first, , last] = columns
  const bottom = top + 2 * row
  return [
    ...[top, top + row, bottom].map((y) => ({ from: [first, y] as const, to: [last, y] as const })),
    ...columns.map((x) => ({ from: [x, top] as const, to: [x, bottom] as const })),
  ]
}
