/** A TLS ClientHello as a server receives it. Numbers are the code points of the TLS registries, in the order sent. */
export interface ClientHello {
  readonly ciphers: readonly number[]
  readonly extensions: readonly number[]
  readonly groups: readonly number[]
  readonly keyShares: readonly number[]
  readonly signatures: readonly number[]
  readonly versions: readonly number[]
  readonly alpn: readonly string[]
  /** Algorithms for compressed certificates. */
  readonly compression: readonly number[]
  readonly serverName: string | undefined
}

/** Returns the length of the first TLS record, or `undefined` if it has not arrived completely. */
export function recordLength(bytes: Buffer): number | undefined {
  if (bytes.length < 5) return undefined
  const length = 5 + bytes.readUInt16BE(3)
  return bytes.length < length ? undefined : length
}

/** Parses the first TLS record of a client. Throws if it is not a complete ClientHello. */
export function parseClientHello(record: Buffer): ClientHello {
  if (record[0] !== 22 || record[5] !== 1) throw new Error('The first record is not a ClientHello.')
  const body = reader(record.subarray(9))
  body.skip(2 + 32)
  body.block(1)
  const ciphers = numbers(body.block(2))
  body.block(1)
  const extensions = readExtensions(reader(body.block(2)))
  const inside = (type: number): Buffer => extensions.get(type) ?? Buffer.alloc(0)
  const listIn = (type: number, size: 1 | 2): Buffer =>
    extensions.has(type) ? reader(inside(type)).block(size) : Buffer.alloc(0)
  return {
    ciphers,
    extensions: [...extensions.keys()],
    groups: numbers(listIn(10, 2)),
    keyShares: readKeyShares(listIn(51, 2)),
    signatures: numbers(listIn(13, 2)),
    versions: numbers(listIn(43, 1)),
    alpn: strings(listIn(16, 2)),
    compression: numbers(listIn(27, 1)),
    serverName: extensions.has(0) ? inside(0).subarray(5).toString('latin1') : undefined,
  }
}

/** Returns whether a code point is reserved for GREASE (RFC 8701). */
export function isGrease(code: number): boolean {
  return (code & 0x0f0f) === 0x0a0a && code >> 8 === (code & 0xff)
}

/** Returns a fingerprint like JA4: sorted ciphers and extensions, without GREASE, server name and ALPN. */
export function fingerprint({ ciphers, extensions, signatures, versions, alpn }: ClientHello): string {
  const plain = (codes: readonly number[]): number[] => codes.filter((code) => !isGrease(code))
  const hex = (codes: readonly number[]): string => codes.map((code) => code.toString(16).padStart(4, '0')).join(',')
  const sorted = (codes: readonly number[]): string => hex(plain(codes).toSorted((one, other) => one - other))
  const newest = Math.max(...plain(versions), 0).toString(16)
  const isNamed = (type: number): boolean => type === 0 || type === 16
  const others = extensions.filter((type) => !isNamed(type))
  return [newest, alpn[0] ?? '', sorted(ciphers), sorted(others), hex(plain(signatures))].join('_')
}

function readExtensions(body: Reader): Map<number, Buffer> {
  const all = new Map<number, Buffer>()
  while (body.left() >= 4) {
    const type = body.number(2)
    all.set(type, body.block(2))
  }
  return all
}

function readKeyShares(bytes: Buffer): number[] {
  const body = reader(bytes)
  const groups: number[] = []
  while (body.left() >= 4) {
    groups.push(body.number(2))
    body.block(2)
  }
  return groups
}

function numbers(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readUInt16BE(2 * index))
}

function strings(bytes: Buffer): string[] {
  const body = reader(bytes)
  const all: string[] = []
  while (body.left() > 0) all.push(body.block(1).toString('latin1'))
  return all
}

interface Reader {
  left(): number
  skip(count: number): void
  number(size: 1 | 2): number
  /** Reads a block that begins with its length. */
  block(size: 1 | 2): Buffer
}

function reader(bytes: Buffer): Reader {
  let at = 0
  const number = (size: 1 | 2): number => {
    at += size
    return bytes.readUIntBE(at - size, size)
  }
  return {
    left: () => bytes.length - at,
    skip: (count) => void (at += count),
    number,
    block: (size) => {
      const length = number(size)
      at += length
      return bytes.subarray(at - length, at)
    },
  }
}
