// Finds equal keys among many, for tables of numbers. Faster than a `Map`, and without objects for each key.
import type { IntTable } from './tables.ts'

/** The group of each row: rows with equal keys are in one group. Groups are numbered by their first rows. */
export interface Groups {
  readonly of: Int32Array
  readonly count: number
}

const minSlots = 1024
/** Slots of an open hash table: the number of a group, plus 1. Reused for each call. */
let slots = new Int32Array(minSlots)
// Random, so that nobody can prepare keys that share their slots.
const factor = Math.floor(Math.random() * 0x1_0000_0000) | 1

/** Groups rows by one key, or by two. Takes linear time. */
export function groupRows(keys: Int32Array, more: Int32Array = keys): Groups {
  const { length } = keys
  const of = new Int32Array(length)
  const firsts = new Int32Array(length)
  const bits = Math.max(10, 33 - Math.clz32(length))
  const mask = (1 << bits) - 1
  if (slots.length <= mask) slots = new Int32Array(mask + 1)
  else slots.fill(0, 0, mask + 1)
  let count = 0
  for (let row = 0; row < length; row++) {
    const key = keys[row]!
    const other = more[row]!
    let slot = Math.imul(key ^ Math.imul(other, factor), factor) >>> (32 - bits)
    let group = slots[slot]! - 1
    while (group >= 0 && (keys[firsts[group]!] !== key || more[firsts[group]!] !== other)) {
      slot = (slot + 1) & mask
      group = slots[slot]! - 1
    }
    if (group < 0) {
      group = count++
      firsts[group] = row
      slots[slot] = count
    }
    of[row] = group
  }
  return { of, count }
}

/** Returns a column of a table as keys. */
export function columnOf({ data, rows, width }: IntTable, column: number): Int32Array {
  const keys = new Int32Array(rows)
  for (let row = 0, at = column; row < rows; row++, at += width) keys[row] = data[at]!
  return keys
}
