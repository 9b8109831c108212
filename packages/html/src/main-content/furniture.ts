// Recognizes page parts around the content by their markup, independently of the model.
import { far, type Blocks } from './block-table.ts'
import { nearNames } from './marks.ts'

export type Columns = readonly number[]

/** Returns the column indexes of these kinds of elements in `nearNames`; -1 for an unknown kind. */
export const columnsOf = (...names: readonly string[]): Columns => names.map((name) => nearNames.indexOf(name))

/** Returns whether block `i` is in an element of one of these kinds, at most `reach` levels up. */
export function isWithin({ near }: Blocks, i: number, columns: Columns, reach = far - 1): boolean {
  const at = i * near.width
  // Without a closure, as this is called several times for each block.
  for (let k = 0; k < columns.length; k++) if (near.data[at + columns[k]!]! <= reach) return true
  return false
}
