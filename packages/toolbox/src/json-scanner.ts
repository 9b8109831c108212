/** Limits of JSON. They are counted in the raw bytes, before anything is parsed. */
export interface Bounds {
  /** Object members and list entries, together. */
  readonly entries: number
  /** Object keys. */
  readonly keys: number
  /** Nesting depth of objects and lists. */
  readonly depth: number
  /** Bytes of one string or key, as written. */
  readonly text: number
}

/** Counts the parts of JSON. */
export interface Scanner {
  /** Scans the next bytes. Returns the first limit that was exceeded. */
  push(bytes: Uint8Array): keyof Bounds | undefined
}

const quote = 0x22
const backslash = 0x5c

// Classes of bytes outside of strings; most bytes have none.
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

/**
 * Creates a scanner that counts the entries, keys, depth and string bytes of JSON as it arrives, before it is parsed. `push`
 * returns the name of the limit that is exceeded, or `undefined`. Invalid JSON is counted in the same way; the parser rejects it
 * later.
 */
export function makeScanner({ entries, keys, depth, text }: Bounds): Scanner {
  let entriesSeen = 0
  let keysSeen = 0
  let level = 0
  let isInText = false
  let isEscaped = false
  let textSeen = 0

  /** Returns the index of the closing quote, or the end of the chunk. */
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

  /** Counts a structural byte. Returns the limit that it exceeds. */
  const count = (means: number): keyof Bounds | undefined => {
    if (means === closes) level -= 1
    // The first entry of a list has no comma before it, so the opening bracket counts as one.
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

const encoder = new TextEncoder()
const sliceCharacters = 1_000_000

/** Returns the first limit that a JSON string exceeds, or `undefined`. The string is encoded in slices, not as a whole. */
export function exceededBound(text: string, limits: Bounds): keyof Bounds | undefined {
  const scanner = makeScanner(limits)
  for (let start = 0; start < text.length; start += sliceCharacters) {
    const exceeded = scanner.push(encoder.encode(text.slice(start, start + sliceCharacters)))
    if (exceeded) return exceeded
  }
  return undefined
}
