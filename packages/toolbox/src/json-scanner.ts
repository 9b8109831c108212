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

/** Limits of the JSON of a request body. */
export interface BodyLimits extends Bounds {
  /** Bytes of a string that is directly in this property of the body, instead of `text`. */
  readonly properties?: ReadonlyMap<string, number>
}

/** A limit that JSON exceeds: a general one, or the one of a property. */
export type Exceeded = keyof Bounds | { readonly property: string }

/** Counts the parts of JSON. */
export interface Scanner {
  /** Scans the next bytes. Returns the first limit that was exceeded. */
  push(bytes: Uint8Array): Exceeded | undefined
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
 * returns the limit that is exceeded, or `undefined`. A property with a limit of its own is recognized if its key has no escapes.
 * Invalid JSON is counted in the same way; the parser rejects it later.
 */
export function makeScanner({ entries, keys, depth, text, properties }: BodyLimits): Scanner {
  let entriesSeen = 0
  let keysSeen = 0
  let level = 0
  let isInText = false
  let isEscaped = false
  let textSeen = 0
  const property = properties?.size ? propertyReader(properties) : undefined
  // The limit of the current string.
  let allowed = text

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
    if (level === 1) property?.read(bytes.subarray(start, index))
    return index
  }

  /** Counts a structural byte. Returns the limit that it exceeds. */
  const count = (means: number): keyof Bounds | undefined => {
    if (means === closes) level -= 1
    if (level === 1) property?.pass(means)
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
          if (textSeen > allowed) return (level === 1 && property?.current()) || 'text'
          continue
        }
        const means = meaning[bytes[index] ?? 0] ?? 0
        if (means === 0) continue
        if (means === begins) {
          isInText = true
          textSeen = 0
          allowed = (level === 1 && property?.begin()) || text
          continue
        }
        const passed = count(means)
        if (passed) return passed
      }
      return undefined
    },
  }
}

/** Follows the keys of the outermost object, to know the limit of each value that is a string. */
function propertyReader(properties: ReadonlyMap<string, number>) {
  const names = new Map(Array.from(properties.keys(), (name) => [Buffer.from(name).toString('latin1'), name]))
  const longest = Math.max(...Array.from(names.keys(), (name) => name.length))
  let lastKey = ''
  let isValue = false
  const current = (): string | undefined => (isValue ? names.get(lastKey) : undefined)
  return {
    /** Receives each structural byte of the outermost object. */
    pass: (means: number): void => {
      isValue = means === key
    },
    /** Starts a string. Returns its limit if it is the value of a property with one. */
    begin: (): number | undefined => {
      if (!isValue) lastKey = ''
      return properties.get(current() ?? '')
    },
    /** Receives the next bytes of the string. */
    read: (bytes: Uint8Array): void => {
      // One byte more than the longest name makes the key another one.
      if (!isValue) lastKey += Buffer.from(bytes.subarray(0, longest + 1 - lastKey.length)).toString('latin1')
    },
    /** Returns the property with a limit whose value is being read. */
    current: (): { readonly property: string } | undefined => {
      const name = current()
      return name === undefined ? undefined : { property: name }
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
    // Without limits of properties.
    if (exceeded) return typeof exceeded === 'object' ? 'text' : exceeded
  }
  return undefined
}
