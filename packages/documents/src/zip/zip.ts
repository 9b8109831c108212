// Reads archives. Nothing is written to disk, and a part is unpacked only when it is read.
import { zipSync } from 'fflate'
import { crc32, inflateRawSync } from 'node:zlib'

import type { Limits } from '../limits.ts'
import { damaged, refuse, quotedName } from '../refuse.ts'
import { localLength, readDirectory, tooLarge, type Entry } from './directory.ts'

export interface Zip {
  readonly names: readonly string[]
  has(name: string): boolean
  /** Returns the unpacked part, or `undefined` if there is none with this name. */
  bytes(name: string): Uint8Array | undefined
  text(name: string): string | undefined
}

const freeBytes = 1_000_000

/**
 * Opens an archive, without folders and parts whose names lead out of it. Parts are unpacked on access, by name in any case.
 * Throws `unsupported_file` if the archive, or a part, is damaged or encrypted, and `response_too_large` if it exceeds the
 * limits; the unpacked bytes of all accesses count.
 */
export function openZip(bytes: Uint8Array, limits: Limits): Zip {
  const entries = readDirectory(bytes, limits).filter(({ name }) => isPlainName(name))
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  const ignoringCase = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]))
  let left = limits.unpackedBytes
  const find = (name: string): Entry | undefined => byName.get(name) ?? ignoringCase.get(name.toLowerCase())
  const read = (name: string): Uint8Array | undefined => {
    const entry = find(name)
    if (!entry) return undefined
    const part = unpack(bytes, entry, left, limits)
    left -= part.length
    if (crc32(part) !== entry.crc) {
      throw damaged(`the bytes of its part ${quotedName(entry.name)} do not match their checksum`)
    }
    return part
  }
  return {
    names: entries.map(({ name }) => name),
    has: (name) => find(name) !== undefined,
    bytes: read,
    text: (name) => {
      const part = read(name)
      return part && decodeXml(part)
    },
  }
}

/** Rejects folders, and names that lead out of the archive. */
function isPlainName(name: string): boolean {
  return !/^[/\\]|^[a-z]:|\0|(?:^|[/\\])\.\.(?:[/\\]|$)|[/\\]$/i.test(name)
}

/** Unpacks a part. The declared size may be wrong, so the output is counted. */
function unpack(bytes: Uint8Array, entry: Entry, left: number, limits: Limits): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { at, name, packed } = entry
  const start = at + localLength + view.getUint16(at + 26, true) + view.getUint16(at + 28, true)
  if (start + packed > bytes.length) throw damaged(`its part ${quotedName(name)} is cut off`)
  const body = bytes.subarray(start, start + packed)
  if (entry.method === 0 && packed <= left) return body
  if (entry.method !== 0 && entry.method !== 8)
    throw damaged(`its part ${quotedName(name)} uses an unknown compression method`)
  const most = Math.min(left, Math.max(freeBytes, packed * limits.ratio))
  if (entry.method === 0 || most <= 0) throw tooLarge(limits)
  return inflate(body, most, entry, limits)
}

function inflate(body: Uint8Array, most: number, { name, packed }: Entry, limits: Limits): Uint8Array {
  try {
    return inflateRawSync(body, { maxOutputLength: most })
  } catch (error) {
    if (!(error instanceof RangeError)) throw damaged(`its part ${quotedName(name)} cannot be decompressed`)
    if (most < Math.max(freeBytes, packed * limits.ratio)) throw tooLarge(limits)
    const sentence = `The part ${quotedName(name)} decompresses to more than ${limits.ratio} times its size, so it is not read.`
    throw refuse('too-large', sentence, { limit: limits.ratio })
  }
}

/**
 * Decodes XML: UTF-8 unless there is a byte order mark or an XML declaration with another encoding. Never throws; invalid bytes
 * become U+FFFD.
 */
export function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const label = /^\s*<\?xml[^>]*\sencoding=["']([\w-]+)["']/.exec(head)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

/** Returns an uncompressed archive of the parts, for libraries that read archives themselves. */
export function packZip(parts: Readonly<Record<string, Uint8Array>>): Uint8Array {
  return zipSync(parts, { level: 0 })
}

/** Returns whether the bytes begin like a zip archive. Only the first two bytes are checked. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b
}
