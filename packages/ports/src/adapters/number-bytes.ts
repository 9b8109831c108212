/** Whole numbers of 32 bits as bytes. */
export function numberBytes(numbers: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(numbers).buffer)
}

/** The numbers again; the bytes may begin anywhere in their memory. */
export function numbersIn(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(bytes).buffer)
}
