import type { FoundUrl, Waiting } from './found-address.ts'

/**
 * A list of queued URLs, encoded as bytes. An entry costs its characters and no objects, so a million entries do not burden
 * V8's garbage collector.
 */
export interface AddressPack {
  readonly count: number
  add(number: number, address: FoundUrl): void
  /** Returns all entries as a view that is valid until the pack is emptied or changed. */
  bytes(): Uint8Array
  empty(): void
}

// Layout of an entry: number, depth, flags and the lengths of the two strings that follow, the host and the URL.
const header = 17
const depthAt = 4
const marksAt = 8
const hostLengthAt = 9
const urlLengthAt = 13
const externalMark = 1
/** The host is the same as in the previous entry. */
const sameHostMark = 2
/** Maximum UTF-8 bytes per UTF-16 code unit. */
const letterBytes = 3
const firstRoom = 4_096

/** Creates an empty pack: a compact binary list of discovered URLs. */
export function addressPack(): AddressPack {
  let room = Buffer.alloc(0)
  let end = 0
  let lastHost: string | undefined

  const widen = (needed: number): void => {
    const wider = Buffer.allocUnsafe(Math.max(room.length * 2, needed, firstRoom))
    room.copy(wider, 0, 0, end)
    room = wider
  }
  const pack = {
    count: 0,
    add: (number: number, [url, host, depth, isExternal]: FoundUrl) => {
      const isSameHost = host === lastHost
      const most = end + header + (url.length + host.length) * letterBytes
      if (most > room.length) widen(most)
      const hostLength = isSameHost ? 0 : room.write(host, end + header)
      const urlLength = room.write(url, end + header + hostLength)
      room.writeUInt32LE(number, end)
      room.writeUInt32LE(depth, end + depthAt)
      room[end + marksAt] = (isExternal * externalMark) | (isSameHost ? sameHostMark : 0)
      room.writeUInt32LE(hostLength, end + hostLengthAt)
      room.writeUInt32LE(urlLength, end + urlLengthAt)
      end += header + hostLength + urlLength
      lastHost = host
      pack.count += 1
    },
    bytes: () => new Uint8Array(room.buffer, room.byteOffset, end),
    empty: () => {
      end = 0
      pack.count = 0
      lastHost = undefined
    },
  }
  return pack
}

/** Returns the entries of a pack, in the order they were added. Expects bytes from `addressPack`. */
export function unpackUrls(pack: Uint8Array): Waiting[] {
  const bytes = Buffer.from(pack.buffer, pack.byteOffset, pack.byteLength)
  const all: Waiting[] = []
  let host = ''
  for (let at = 0; at < bytes.length;) {
    const hostEnd = at + header + bytes.readUInt32LE(at + hostLengthAt)
    const end = hostEnd + bytes.readUInt32LE(at + urlLengthAt)
    const marks = bytes[at + marksAt] ?? 0
    if ((marks & sameHostMark) === 0) host = bytes.toString('utf8', at + header, hostEnd)
    all.push({
      number: bytes.readUInt32LE(at),
      // Decoded one by one: substrings of one large string would retain all of it as long as any of them is used.
      url: bytes.toString('utf8', hostEnd, end),
      host,
      depth: bytes.readUInt32LE(at + depthAt),
      isExternal: (marks & externalMark) !== 0,
    })
    at = end
  }
  return all
}
