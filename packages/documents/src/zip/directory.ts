// Reads the central directory of a zip before anything is unpacked (APPNOTE.TXT, sections 4.3.12 to 4.3.16).
import { damaged, encrypted, refuse, quotedName } from '../refuse.ts'
import type { Limits } from '../limits.ts'

export interface Entry {
  readonly name: string
  /** 0 for stored, 8 for deflated. */
  readonly method: number
  readonly packed: number
  readonly unpacked: number
  /** CRC-32 of the unpacked bytes. */
  readonly crc: number
  /** Offset of its local header. */
  readonly at: number
}

const endLength = 22
const headerLength = 46
export const localLength = 30
const maxComment = 0xffff

/**
 * Lists the parts. Throws `unsupported_file` if the archive is inconsistent, empty or encrypted, and `response_too_large` if
 * it exceeds `limits`.
 */
export function readDirectory(bytes: Uint8Array, limits: Limits): readonly Entry[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { start, size, count, shift } = findDirectory(view)
  if (count > limits.entries) throw tooManyEntries(count, limits)
  const entries: Entry[] = []
  const names = new Set<string>()
  let unpacked = 0
  let at = start
  while (at + headerLength <= start + size && view.readUInt32LE(at) === 0x02014b50) {
    if (entries.length >= limits.entries) throw tooManyEntries(entries.length + 1, limits)
    const { entry, length, isEncrypted } = readHeader(view, at, shift)
    if (isEncrypted) throw encrypted()
    if (names.has(entry.name)) throw damaged(`its archive has two parts named ${quotedName(entry.name)}`)
    names.add(entry.name)
    unpacked += entry.unpacked
    entries.push(entry)
    at += length
  }
  if (entries.length === 0) throw damaged('its archive is empty')
  // The 16-bit count wraps around.
  if (entries.length % 0x10000 !== count % 0x10000) {
    throw damaged(`its archive lists ${entries.length} parts and counts ${count}`)
  }
  if (unpacked > limits.unpackedBytes) throw tooLarge(limits)
  checkOverlaps(entries, start)
  for (const entry of entries) checkLocalHeader(view, entry)
  return entries
}

interface Directory {
  readonly start: number
  readonly size: number
  readonly count: number
  /** Number of bytes before the archive, which offsets in it do not include. */
  readonly shift: number
}

function findDirectory(view: Buffer): Directory {
  const from = Math.max(0, view.length - endLength - maxComment)
  const end = view.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < from || end + endLength > view.length) throw damaged('it is cut off: the list of its parts is missing')
  const long = longEnd(view, end)
  const count = long?.count ?? view.readUInt16LE(end + 10)
  const size = long?.size ?? view.readUInt32LE(end + 12)
  const declared = long?.start ?? view.readUInt32LE(end + 16)
  const start = (long?.at ?? end) - size
  if (start < 0 || declared > start) throw damaged('the list of its parts is not where it should be')
  return { start, size, count, shift: start - declared }
}

/** Reads the end record of Zip64, which some writers use for files of any size. */
function longEnd(view: Buffer, end: number): { count: number; size: number; start: number; at: number } | undefined {
  const locator = end - 20
  if (locator < 0 || view.readUInt32LE(locator) !== 0x07064b50) return undefined
  const at = Number(view.readBigUInt64LE(locator + 8))
  if (at + 56 > view.length || view.readUInt32LE(at) !== 0x06064b50) return undefined
  const field = (offset: number): number => Number(view.readBigUInt64LE(at + offset))
  return { count: field(32), size: field(40), start: field(48), at }
}

function readHeader(view: Buffer, at: number, shift: number): { entry: Entry; length: number; isEncrypted: boolean } {
  const flags = view.readUInt16LE(at + 8)
  const nameLength = view.readUInt16LE(at + 28)
  const extraLength = view.readUInt16LE(at + 30)
  const nameEnd = at + headerLength + nameLength
  const sizes = [view.readUInt32LE(at + 24), view.readUInt32LE(at + 20), view.readUInt32LE(at + 42)] as const
  const [unpacked, packed, local] = longSizes(view.subarray(nameEnd, nameEnd + extraLength), sizes)
  return {
    entry: {
      name: view.toString('utf8', at + headerLength, nameEnd),
      method: view.readUInt16LE(at + 10),
      packed,
      unpacked,
      crc: view.readUInt32LE(at + 16),
      at: local + shift,
    },
    length: headerLength + nameLength + extraLength + view.readUInt16LE(at + 32),
    isEncrypted: (flags & 1) === 1,
  }
}

type Sizes = readonly [unpacked: number, packed: number, at: number]

/** Reads sizes that do not fit into 32 bits, which are in the extra field in this order. */
function longSizes(extra: Buffer, sizes: Sizes): Sizes {
  if (sizes.every((size) => size !== 0xffffffff)) return sizes
  let at = 0
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2)
  let field = at + 4
  const [unpacked, packed, local] = sizes.map((size) => {
    if (size !== 0xffffffff || field + 8 > extra.length) return size
    field += 8
    return Number(extra.readBigUInt64LE(field - 8))
  })
  return [unpacked ?? 0, packed ?? 0, local ?? 0]
}

/** Rejects overlapping parts, with which a small file can unpack to a huge one. */
function checkOverlaps(entries: readonly Entry[], directoryStart: number): void {
  let end = 0
  for (const { name, at, packed } of entries.toSorted((a, b) => a.at - b.at)) {
    if (at < end) throw damaged(`the part ${quotedName(name)} overlaps another`)
    end = at + localLength + packed
  }
  if (end > directoryStart) throw damaged('its last part is longer than the file')
}

/** Checks that the name in a local header equals the one in the directory. A damaged name would hide the part. */
function checkLocalHeader(view: Buffer, { name, at }: Entry): void {
  const isThere = at + localLength <= view.length && view.readUInt32LE(at) === 0x04034b50
  if (!isThere) throw damaged(`its part ${quotedName(name)} is not where it should be`)
  const start = at + localLength
  const local = view.toString('utf8', start, start + view.readUInt16LE(at + 26))
  if (plainName(local) === plainName(name)) return
  throw damaged(`its archive names one part both ${quotedName(name)} and ${quotedName(local)}`)
}

/** Normalizes slashes and case, which some writers mix. */
function plainName(name: string): string {
  return name.replaceAll('\\', '/').toLowerCase()
}

function tooManyEntries(count: number, { entries }: Limits) {
  return refuse('too-large', `The archive has ${count} parts; at most ${entries} are read.`, { limit: entries })
}

/** Returns the `response_too_large` error for a file that unpacks to more bytes than the limit. */
export function tooLarge({ unpackedBytes }: Limits) {
  return refuse('too-large', `The file decompresses to more than ${unpackedBytes} bytes, so it is not read.`, {
    limit: unpackedBytes,
  })
}
