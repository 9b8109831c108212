// Decodes by the standard on every version of Node: its own decoder lacks thousands of Korean and Hong Kong characters, and
// older versions decode windows-1252 incorrectly. UTF-8, by far the most common encoding, is correct everywhere.
import type * as encoding from '@exodus/bytes/encoding.js'

import { lateLibrary } from '@harvestman/toolbox/late-library'

const library = lateLibrary(import.meta.url, (require) => require('@exodus/bytes/encoding.js') as typeof encoding)

/** Decodes bytes of one encoding. */
export interface Decoder {
  /** Name by the WHATWG standard, in lower case. */
  readonly encoding: string
  decode(bytes: Uint8Array): string
}

const utf8: Decoder = new TextDecoder()

/**
 * Returns the decoder for an encoding label, or `undefined` for unknown labels and for encodings that browsers no longer
 * decode.
 */
export function decoderFor(label: string): Decoder | undefined {
  const name = label.trim().toLowerCase()
  if (name === 'utf-8' || name === 'utf8') return utf8
  try {
    return new (library().TextDecoder)(name)
  } catch {
    return undefined
  }
}

/** Returns whether the bytes, which may end within a character, are valid in this encoding. False for unknown labels. */
export function isTextIn(label: string, bytes: Uint8Array): boolean {
  try {
    new (library().TextDecoder)(label, { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
