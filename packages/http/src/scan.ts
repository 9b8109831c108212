/** How much a JSON body may hold. It is counted in the bytes as they arrive, before anything is built from them. */
export interface Bounds {
  /** Members of objects and entries of lists, together. */
  readonly entries: number
  /** Keys of objects. */
  readonly keys: number
  /** Objects and lists within each other. */
  readonly depth: number
}

export const bounds: Bounds = { entries: 50_000, keys: 10_000, depth: 100 }

export interface Scanner {
  /** Reads on, and names the first bound that was passed. */
  push(bytes: Uint8Array): keyof Bounds | undefined
}

const quote = 0x22
const backslash = 0x5c

// What a byte outside of a string means for the counts; nearly all mean nothing.
const entry = 1
const key = 2
const opens = 3
const closes = 4
const meaning = new Uint8Array(256)
for (const [character, means] of Object.entries({
  ',': entry,
  ':': key,
  '{': opens,
  '[': opens,
  '}': closes,
  ']': closes,
})) {
  meaning[character.charCodeAt(0)] = means
}
meaning[quote] = 5

/** A text that is not JSON is counted in the same way, and refused by the parser afterwards. */
export function makeScanner({ entries, keys, depth }: Bounds = bounds): Scanner {
  let entriesSeen = 0
  let keysSeen = 0
  let level = 0
  let isInString = false
  let isEscaped = false

  /** Gives the place of the quote that ends the string, or that of the last byte. */
  const skipString = (bytes: Uint8Array, start: number): number => {
    let index = start
    while (index < bytes.length) {
      const byte = bytes[index]
      if (isEscaped) isEscaped = false
      else if (byte === backslash) isEscaped = true
      else if (byte === quote) {
        isInString = false
        return index
      }
      index += 1
    }
    return index
  }

  /** Counts a byte that means something. */
  const count = (means: number): keyof Bounds | undefined => {
    if (means === closes) level -= 1
    // The first entry of a list has no comma before it, so what opens counts as one.
    if ((means === entry || means === opens) && (entriesSeen += 1) > entries) return 'entries'
    if (means === key && (keysSeen += 1) > keys) return 'keys'
    if (means === opens && (level += 1) > depth) return 'depth'
    return undefined
  }

  return {
    push: (bytes) => {
      for (let index = isInString ? skipString(bytes, 0) + 1 : 0; index < bytes.length; index += 1) {
        const means = meaning[bytes[index] ?? 0] ?? 0
        if (means === 0) continue
        if (means === meaning[quote]) {
          isInString = true
          index = skipString(bytes, index + 1)
          continue
        }
        const passed = count(means)
        if (passed) return passed
      }
      return undefined
    },
  }
}
