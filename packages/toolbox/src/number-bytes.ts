/** Encodes unsigned 32-bit integers as bytes, in the byte order of this host. */
export function numberBytes(numbers: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(numbers).buffer)
}

/**
 * Decodes the numbers of `numberBytes`; the bytes need not be aligned in their buffer. Throws a `RangeError` if their number is
 * not a multiple of four.
 */
export function numbersIn(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(bytes).buffer)
}
