// Decodes by the standard on every Node: its own decoder misses thousands of Korean and Hong Kong characters, and older
// versions get windows-1252 wrong. UTF-8 is right everywhere, and is almost all there is.
import type * as encoding from '@exodus/bytes/encoding.js'

import { lateLibrary } from '@harvestman/ports/adapters'

const library = lateLibrary(import.meta.url, (require) => require('@exodus/bytes/encoding.js') as typeof encoding)

/** Turns the bytes of one encoding into text. */
export interface Decoder {
  /** The name by the standard, in lower case. */
  readonly encoding: string
  decode(bytes: Uint8Array): string
}

const utf8: Decoder = new TextDecoder()

/** Gives nothing for a name that stands for no encoding, and for those that no browser decodes any more. */
export function decoderFor(label: string): Decoder | undefined {
  const name = label.trim().toLowerCase()
  if (name === 'utf-8' || name === 'utf8') return utf8
  try {
    return new (library().TextDecoder)(name)
  } catch {
    return undefined
  }
}

/** Whether the bytes, which may end within a character, are text in this encoding. */
export function isTextIn(label: string, bytes: Uint8Array): boolean {
  try {
    new (library().TextDecoder)(label, { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
