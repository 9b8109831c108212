// What stands around the content of a page by its markup alone, whatever the model thinks of it.
import { far, type Blocks } from './block-table.ts'
import { nearNames } from './marks.ts'

export type Columns = readonly number[]

export const columnsOf = (...names: readonly string[]): Columns => names.map((name) => nearNames.indexOf(name))

/** Does block `i` stand in an element of one of these kinds, at most `reach` elements up? */
export function standsIn({ near }: Blocks, i: number, columns: Columns, reach = far - 1): boolean {
  const at = i * near.width
  return columns.some((column) => near.data[at + column]! <= reach)
}
