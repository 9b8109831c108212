/** Bounds of a JSON body. They are counted in the bytes as they arrive, before anything is built from them. */
export interface Bounds {
  /** Members of objects and entries of lists, together. */
  readonly entries: number
  /** Keys of objects. */
  readonly keys: number
  /** Objects and lists within each other. */
  readonly depth: number
  /** Bytes of one text or key, as it is written. */
  readonly text: number
}

export const bounds: Bounds = { entries: 30_000, keys: 10_000, depth: 100, text: 1_000_000 }

export interface Scanner {
  /** Reads on, and names the first bound that was passed. */
  push(bytes: Uint8Array): keyof Bounds | undefined
}

const quote = 0x22
const backslash = 0x5c

// Meanings of a byte outside of a string for the counts; nearly all have none.
const entry = 1
const key = 2
const opens = 3
const closes = 4
const begins = 5
const meaning = new Uint8Array(256)
for (const [character, means] of Object.entries({
  ',': entry,
  ':': key,
  '{': opens,
  '[': opens,
  '}': closes,
  ']': closes,
  '"': begins,
})) {
  meaning[character.charCodeAt(0)] = means
}

/** A text that is not JSON is counted in the same way, and refused by the parser afterwards. */
export function makeScanner({ entries, keys, depth, text }: Bounds = bounds): Scanner {
  let entriesSeen = 0
  let keysSeen = 0
  let level = 0
  let isInText = false
  let isEscaped = false
  let textSeen = 0

  /** Gives the place of the quote that ends the text, or that behind the last byte. */
  const skipText = (bytes: Uint8Array, start: number): number => {
    let index = start
    for (; index < bytes.length; index += 1) {
      const byte = bytes[index]
      if (isEscaped) isEscaped = false
      else if (byte === backslash) isEscaped = true
      else if (byte === quote) {
        isInText = false
        break
      }
    }
    textSeen += index - start
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
      for (let index = 0; index < bytes.length; index += 1) {
        if (isInText) {
          index = skipText(bytes, index)
          if (textSeen > text) return 'text'
          continue
        }
        const means = meaning[bytes[index] ?? 0] ?? 0
        if (means === 0) continue
        if (means === begins) {
          isInText = true
          textSeen = 0
          continue
        }
        const passed = count(means)
        if (passed) return passed
      }
      return undefined
    },
  }
}
