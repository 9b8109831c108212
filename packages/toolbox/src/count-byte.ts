/**
 * Counts how often a byte occurs, and ends soon after there are more than `max`. Checks four bytes at a time, which takes a third of
 * the time of a loop over single bytes.
 */
export function countByte(bytes: Uint8Array, value: number, max: number): number {
  const from = Math.min(-bytes.byteOffset & 3, bytes.length)
  const length = (bytes.length - from) >> 2
  let count = 0
  for (let at = 0; at < from; at += 1) if (bytes[at] === value) count += 1
  if (length > 0) count += countInWords(new Int32Array(bytes.buffer, bytes.byteOffset + from, length), value, max)
  for (let at = from + length * 4; at < bytes.length; at += 1) if (bytes[at] === value) count += 1
  return count
}

function countInWords(words: Int32Array, value: number, max: number): number {
  const pattern = Math.imul(value, 0x01010101)
  let count = 0
  for (let at = 0; at < words.length && count <= max; at += 1) {
    const difference = words[at]! ^ pattern
    // Has the top bit of each byte that is equal.
    const equal = ~(((difference & 0x7f7f7f7f) + 0x7f7f7f7f) | difference | 0x7f7f7f7f)
    if (equal !== 0) count += ((equal >>> 7) & 1) + ((equal >>> 15) & 1) + ((equal >>> 23) & 1) + (equal >>> 31)
  }
  return count
}
