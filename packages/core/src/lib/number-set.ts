/** Set of small integers from 0, as one bit for each number up to the largest. */
export interface NumberSet {
  add(number: number): void
  /** Deletes a number. Returns whether it was there. */
  delete(number: number): boolean
}

/** Creates an empty set of numbers. It needs one bit for each number up to the largest. */
export function numberSet(): NumberSet {
  let bits = new Uint32Array(32)
  return {
    add: (number) => {
      const at = number >>> 5
      if (at >= bits.length) {
        const wider = new Uint32Array(Math.max(bits.length * 2, at + 1))
        wider.set(bits)
        bits = wider
      }
      bits[at]! |= 1 << (number & 31)
    },
    delete: (number) => {
      const at = number >>> 5
      const bit = 1 << (number & 31)
      if (((bits[at] ?? 0) & bit) === 0) return false
      bits[at]! &= ~bit
      return true
    },
  }
}
