import { EngineError } from '@harvestman/ports'
import { isEncodedJson } from '@harvestman/ports/values'

/** Limits on the size of one document. */
export interface DocumentBound {
  /** Maximum size as JSON, in bytes. */
  readonly bytes: number
  /** Maximum number of strings, numbers, arrays and objects. */
  readonly values: number
}

/** Default limits of a document. */
export const defaultBound: DocumentBound = { bytes: 20_000_000, values: 500_000 }

// Far below the depth at which `JSON.stringify` and `JSON.parse` overflow the stack.
const maxDepth = 200

/** Measures a document while it is built, so that one that is too large is rejected before it is complete. */
export interface DocumentTally {
  /** Counts a value with everything in it. Throws if a limit is exceeded. */
  add(value: unknown): void
  /** Counts content that does not exist yet, or was measured elsewhere. */
  spend(bytes: number, values?: number): void
  /** Returns whether the limits allow this much more content. */
  fits(bytes: number, values?: number): boolean
  readonly bytes: number
  readonly values: number
}

/**
 * Creates a tally that throws `page_too_complex` if a document exceeds its limits in bytes or values, or a depth of 200. By
 * default the limits are 20 MB and 500,000 values.
 */
export function documentTally(most: DocumentBound = defaultBound): DocumentTally {
  return new Tally(most)
}

// A class, so that all instances have the same hidden class: millions of values are counted.
class Tally implements DocumentTally {
  readonly #most: DocumentBound
  bytes = 0
  values = 0

  constructor(most: DocumentBound) {
    this.#most = most
  }

  add(value: unknown): void {
    this.#add(value, 0)
  }

  spend(bytes: number, values = 0): void {
    this.bytes += bytes
    this.values += values
    if (this.bytes > this.#most.bytes) throw tooMuch('bytes', this.#most.bytes)
    if (this.values > this.#most.values) throw tooMuch('values', this.#most.values)
  }

  fits(bytes: number, values = 0): boolean {
    return this.bytes + bytes <= this.#most.bytes && this.values + values <= this.#most.values
  }

  #add(value: unknown, depth: number): void {
    if (typeof value === 'string') return this.#addText(value)
    if (typeof value === 'object' && value !== null) return this.#addObject(value, depth)
    if (typeof value === 'number') return this.spend(String(value).length + 1, 1)
    // `true`, `false` and `null`; JSON omits other values or writes `null`.
    if (value !== undefined) this.spend('false,'.length, 1)
  }

  #addText(text: string): void {
    // Most strings are short enough to fit without counting their bytes.
    if (text.length > this.#most.bytes - this.bytes) throw tooMuch('bytes', this.#most.bytes)
    this.spend(bytesOfText(text), 1)
  }

  #addObject(value: object, depth: number): void {
    if (depth > maxDepth) throw tooDeep()
    if (isEncodedJson(value)) return this.spend(value.json.byteLength, 1)
    if (value instanceof Uint8Array) return this.spend(value.byteLength, 1)
    if ('toJSON' in value && typeof value.toJSON === 'function') return this.#add(value.toJSON(), depth + 1)
    this.spend(3, 1)
    if (Array.isArray(value)) {
      for (const item of value) this.#add(item, depth + 1)
      return
    }
    for (const key in value) {
      const item = (value as Readonly<Record<string, unknown>>)[key]
      if (item === undefined || !Object.hasOwn(value, key)) continue
      this.spend(bytesOfText(key) + 1)
      this.#add(item, depth + 1)
    }
  }
}

// Bytes in JSON of each byte of UTF-8: unchanged, after a backslash, or as \u0000.
const bytesInJson = new Uint8Array(256).fill(1)
bytesInJson.fill(6, 0, 32)
for (const character of '\b\t\n\f\r"\\') bytesInJson[character.charCodeAt(0)] = 2

// Encoding pays off only for long strings that are mostly ASCII.
const shortText = 64
const maxBytesPerCharacter = 1.1
const encoder = new TextEncoder()
const encoded = new Uint8Array(65_536)
const encodedStart = encoded.subarray(0, 512)

/** Returns the bytes of a string as JSON, including quotes and a comma. */
function bytesOfText(text: string): number {
  if (text.length < shortText) return bytesOfCharacters(text)
  const start = encoder.encodeInto(text, encodedStart)
  const isMostlyAscii = start.written <= start.read * maxBytesPerCharacter
  // JSON escapes lone surrogates, which UTF-8 does not have.
  if (!isMostlyAscii || !text.isWellFormed()) return bytesOfCharacters(text)
  let bytes = 3
  for (let from = 0; from < text.length;) {
    const { read, written } = encoder.encodeInto(from === 0 ? text : text.slice(from), encoded)
    for (let at = 0; at < written; at += 1) bytes += bytesInJson[encoded[at]!]!
    from += read
  }
  return bytes
}

function bytesOfCharacters(text: string): number {
  let bytes = 3
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 128) bytes += bytesInJson[code]!
    else if (code < 0x800) bytes += 2
    else if (code < 0xd800 || code > 0xdfff) bytes += 3
    else if (isPair(code, text.charCodeAt(index + 1))) {
      bytes += 4
      index += 1
    } else bytes += 6
  }
  return bytes
}

function isPair(high: number, low: number): boolean {
  return high < 0xdc00 && low >= 0xdc00 && low <= 0xdfff
}

const settings = { bytes: 'documentBytes', values: 'documentValues' } as const

function tooMuch(what: keyof DocumentBound, most: number): EngineError {
  return new EngineError(
    'page_too_complex',
    `The document would have more than the limit of ${most} ${what}. Request fewer formats or less of the page, or raise limits.${settings[what]}.`,
    { details: { reason: 'too_large', limit: most, of: what } },
  )
}

function tooDeep(): EngineError {
  return new EngineError(
    'page_too_complex',
    `The document would nest lists and objects more than ${maxDepth} levels deep. Request less of the page.`,
    { details: { reason: 'too_large', limit: maxDepth, of: 'depth' } },
  )
}
