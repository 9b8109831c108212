import type { FoundAddress, Waiting } from './found-address.ts'

/** Waiting addresses as bytes: each costs its letters and no objects, so that a million that wait is no work for V8. */
export interface AddressPack {
  readonly count: number
  add(number: number, address: FoundAddress): void
  /** All of them, as they stand here until it is emptied. */
  bytes(): Uint8Array
  empty(): void
}

// The number, the depth, the marks, and how long the texts are that follow: the host, the address.
const header = 17
const depthAt = 4
const marksAt = 8
const hostLengthAt = 9
const urlLengthAt = 13
const externalMark = 1
/** The host is that of the address before. */
const sameHostMark = 2
/** A letter of a string is three bytes at most. */
const letterBytes = 3
const firstRoom = 4_096

/** Makes a pack without addresses. */
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
    add: (number: number, [url, host, depth, isExternal]: FoundAddress) => {
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

/** The addresses of a pack, in the order they were added. */
export function unpackAddresses(pack: Uint8Array): Waiting[] {
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
      // Cut out one by one: the pieces of one large text would keep all of it as long as any of them waits.
      url: bytes.toString('utf8', hostEnd, end),
      host,
      depth: bytes.readUInt32LE(at + depthAt),
      isExternal: (marks & externalMark) !== 0,
    })
    at = end
  }
  return all
}
