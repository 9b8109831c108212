import { isUtf8 } from 'node:buffer'

import type sniffEncoding from 'html-encoding-sniffer'

import { lateLibrary } from '@harvestman/toolbox/late-library'
import { detectCharset } from './detect-charset.ts'
import { parameterOf } from '../media-type.ts'
import { decoderFor } from './text-decoder.ts'

/** A decoded string, and the encoding of its bytes. */
export interface Decoded {
  readonly text: string
  /** Name of the encoding by the WHATWG standard, in lower case. */
  readonly charset: string
}

const sniffer = lateLibrary(import.meta.url, (require) => require('html-encoding-sniffer') as typeof sniffEncoding)

const utf8 = new TextDecoder()
// Browsers also find a later declaration, once they reach it.
const prescanBytes = 16_384
// Fewer characters may be chance: byte pairs of old Chinese encodings can be valid UTF-8.
const enoughCharacters = 4

/**
 * Decodes bytes by the byte order mark, the header, the declaration in the page, or the most likely encoding, in this order. A
 * declaration that contradicts the bytes is ignored. Never throws; invalid bytes become U+FFFD.
 */
export function decodeText(
  bytes: Uint8Array,
  contentType: string | undefined,
  kind: { readonly html: boolean },
): Decoded {
  const marked = markOf(bytes)
  if (marked) return decodeAs(marked, bytes)
  for (const label of declarations(bytes, contentType, kind.html)) {
    const decoded = decodeAs(label, bytes)
    if (!isLie(decoded, bytes)) return decoded
  }
  return decodeAs(guess(bytes), bytes)
}

function* declarations(bytes: Uint8Array, contentType: string | undefined, isHtml: boolean): Generator<string> {
  const header = parameterOf(contentType, 'charset')
  if (header !== undefined && decoderFor(header)) yield header
  const own = ownDeclaration(bytes, isHtml)
  if (own !== undefined && decoderFor(own)) yield own
}

function ownDeclaration(bytes: Uint8Array, isHtml: boolean): string | undefined {
  const none = { defaultEncoding: 'none' }
  const isXml = /^\s*<\?xml/.test(latin1(bytes.subarray(0, 64)))
  if (!isHtml && !isXml) return undefined
  const options = isHtml ? { ...none, maxPrescanBytes: prescanBytes } : { ...none, xml: true }
  const label = sniffer()(bytes, options)
  return label === 'none' ? undefined : label
}

/**
 * Returns whether a declared encoding is wrong: UTF-8 that is mostly invalid, or another encoding for bytes that are clearly
 * UTF-8.
 */
function isLie({ text, charset }: Decoded, bytes: Uint8Array): boolean {
  if (charset === 'utf-8') return !isUtf8(bytes) && isMostlyBroken(text)
  if (isSevenBit(charset) || !isUtf8(bytes)) return false
  if (charset.startsWith('utf-')) return !bytes.includes(0)
  return hasForeignScript(utf8.decode(bytes), enoughCharacters)
}

function isMostlyBroken(text: string): boolean {
  let broken = 0
  let right = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === 0xfffd) broken += 1
    else if (unit > 0x7f) right += 1
  }
  return broken > right
}

function hasForeignScript(text: string, least: number): boolean {
  let found = 0
  for (let at = 0; at < text.length && found < least; at += 1) if (text.charCodeAt(at) > 0x7f) found += 1
  return found >= least
}

function guess(bytes: Uint8Array): string {
  const wide = wideWithoutMark(bytes)
  if (wide) return wide
  if (hasJapaneseEscapes(bytes)) return 'iso-2022-jp'
  if (isUtf8(bytes)) return 'utf-8'
  return detectCharset(bytes) ?? 'windows-1252'
}

// It consists of ASCII bytes, so it would be taken for UTF-8.
function isSevenBit(charset: string): boolean {
  return charset === 'iso-2022-jp'
}

function hasJapaneseEscapes(bytes: Uint8Array): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 65_536))
  return ['\u001b$B', '\u001b$@', '\u001b(J'].some((escape) => view.includes(escape, 0, 'latin1'))
}

/**
 * Returns the encoding of a byte order mark, which overrides everything else. UTF-32 is checked before UTF-16, because its mark
 * begins with the same bytes.
 */
function markOf(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 && bytes.length % 4 === 0 ? 'utf-32le' : 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return a === 0 && b === 0 && c === 0xfe && d === 0xff ? 'utf-32be' : undefined
}

/** Recognizes UTF-16 and UTF-32 without a mark: Latin text has a zero in every second byte, or in three of four. */
function wideWithoutMark(bytes: Uint8Array): string | undefined {
  const head = bytes.subarray(0, 512)
  const length = head.length - (head.length % 4)
  if (length < 8) return undefined
  const zeros = [0, 0, 0, 0]
  for (let at = 0; at < length; at += 1) if (head[at] === 0) zeros[at % 4]! += 1
  const isZero = (place: number): boolean => zeros[place]! > (length / 4) * 0.7
  const [first, second, third, fourth] = [isZero(0), isZero(1), isZero(2), isZero(3)]
  if (second && third && fourth && !first) return 'utf-32le'
  if (first && second && third && !fourth) return 'utf-32be'
  if (second && fourth && !first && !third) return 'utf-16le'
  return first && third && !second && !fourth ? 'utf-16be' : undefined
}

function decodeAs(label: string, bytes: Uint8Array): Decoded {
  if (label === 'utf-32le' || label === 'utf-32be') return { text: decodeUtf32(bytes, label), charset: label }
  const decoder = decoderFor(label) ?? utf8
  return { text: decoder.decode(bytes), charset: decoder.encoding }
}

function decodeUtf32(bytes: Uint8Array, label: string): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: string[] = []
  for (let at = 0; at + 4 <= view.byteLength; at += 4) {
    const point = view.getUint32(at, label === 'utf-32le')
    const isMark = at === 0 && point === 0xfeff
    if (!isMark) parts.push(point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd')
  }
  return parts.join('')
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
