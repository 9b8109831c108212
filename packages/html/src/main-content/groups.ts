// Finds equal keys among many, for tables of numbers. Faster than a `Map`, and without objects for each key.
import type { IntTable } from './tables.ts'

/** The group of each row: rows with equal keys are in one group. Groups are numbered by their first rows. */
export interface Groups {
  readonly of: Int32Array
  readonly count: number
}

const minBits = 10
const maxKeptSlots = 1 << 16
/** Slots of an open hash table: the number of a group, plus 1. Reused by calls that need at most `maxKeptSlots`. */
let kept = new Int32Array(1 << minBits)

function emptySlots(size: number): Int32Array {
  if (size > maxKeptSlots) return new Int32Array(size)
  if (kept.length < size) kept = new Int32Array(size)
  else kept.fill(0, 0, size)
  return kept
}

// Random, so that the slots of a page's keys cannot be computed in advance.
const seed = Math.floor(Math.random() * 0x1_0000_0000) | 0

/** Scrambles an integer, so that each bit of it affects about half of the bits of the result. Different ones stay different. */
function scramble(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x7feb_352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846c_a68b)
  return mixed ^ (mixed >>> 16)
}

/** Groups rows by one key, or by two. Takes linear time on average, over all seeds. */
export function groupRows(keys: Int32Array, more: Int32Array = new Int32Array(keys.length)): Groups {
  const { length } = keys
  const of = new Int32Array(length)
  const firsts = new Int32Array(length)
  const bits = Math.max(minBits, 33 - Math.clz32(length))
  const mask = (1 << bits) - 1
  const slots = emptySlots(mask + 1)
  let count = 0
  for (let row = 0; row < length; row++) {
    const key = keys[row]!
    const other = more[row]!
    let slot = scramble(scramble(key ^ seed) ^ other) >>> (32 - bits)
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
