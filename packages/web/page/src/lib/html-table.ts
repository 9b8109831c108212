// Reads the tables of Markdown that are written as HTML, because their cells span rows or columns.
import { decodeEntities } from './entities.ts'

/** Text, or an element with one of the known names. */
export type TableNode = string | TableElement

export interface TableElement {
  readonly name: string
  /** Only `href`, `colspan` and `rowspan`. */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: TableNode[]
}

const names: ReadonlySet<string> = new Set(
  'table tr th td a b strong i em u s del code kbd mark sub sup ul ol li blockquote pre br'.split(' '),
)
const attributeNames: ReadonlySet<string> = new Set(['href', 'colspan', 'rowspan'])
const maxDepth = 100

/** Returns the table, or `undefined` if the HTML is something else or has other elements. */
export function readHtmlTable(html: string): TableElement | undefined {
  const root: TableElement = { name: '', attributes: {}, children: [] }
  const open = [root]
  for (const [token, slash, name = '', attributes = ''] of html
    .trim()
    .matchAll(/<(\/?)([a-z]+)((?: [a-z]+="[^"<>]*")*)>|[^<]+|</g)) {
    const last = open.at(-1)
    if (!last || token === '<' || open.length > maxDepth) return undefined
    if (name === '') last.children.push(decodeEntities(token))
    else if (!names.has(name)) return undefined
    else if (slash !== '') {
      if (open.pop()?.name !== name) return undefined
    } else {
      const element = { name, attributes: attributesOf(attributes), children: [] }
      last.children.push(element)
      if (name !== 'br') open.push(element)
    }
  }
  const [table, ...others] = root.children
  const isTable = open.length === 1 && others.length === 0 && typeof table === 'object' && table.name === 'table'
  return isTable ? table : undefined
}

function attributesOf(source: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [, name = '', value = ''] of source.matchAll(/ ([a-z]+)="([^"]*)"/g))
    if (attributeNames.has(name)) found[name] = decodeEntities(value)
  return found
}
