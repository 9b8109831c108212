const dimensions = 512
const stopLength = 3

/**
 * Returns a vector for a string without a model: each word, and each run of 3 to 5 characters of a word, adds to one dimension, by
 * its hash. Strings with the same words, or with words of the same stem, are similar. Use it in tests and benchmarks.
 */
export function hashedVector(text: string): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  for (const word of words) {
    add(vector, word, word.length > stopLength ? 1 : 0.3)
    const padded = `<${word}>`
    for (let length = 3; length <= 5; length += 1)
      for (let at = 0; at + length <= padded.length; at += 1) add(vector, padded.slice(at, at + length), 0.3)
  }
  if (words.length === 0) add(vector, text, 1)
  // Frequent features count less than their number.
  return vector.map((value) => Math.sign(value) * Math.sqrt(Math.abs(value)))
}

function add(vector: number[], feature: string, weight: number): void {
  let hash = 2_166_136_261
  for (let at = 0; at < feature.length; at += 1) hash = Math.imul(hash ^ feature.charCodeAt(at), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d)
  hash ^= hash >>> 13
  const index = (hash >>> 1) % vector.length
  vector[index] = (vector[index] ?? 0) + (hash & 1 ? weight : -weight)
}
