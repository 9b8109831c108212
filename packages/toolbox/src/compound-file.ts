// Reads compound files, the container of Office files before 2007 and of encrypted ones ([MS-CFB]).
// A native search of the buffer for UTF-16 text must not replace it: in Node 24 it may never return at an odd offset of
// the ArrayBuffer. scripts/check-searches.ts reports such searches.

const signature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
const entryLength = 128
const headerLength = 512
const headerFatSectors = 109
const maxEntries = 20_000

/** Returns whether the bytes start with the signature of a compound file (OLE), such as the older Office formats. */
export function isCompoundFile(bytes: Uint8Array): boolean {
  return signature.every((byte, index) => bytes[index] === byte)
}

/** A storage of a compound file: a folder of streams and of further storages. */
export interface CompoundStorage {
  /** Names of its streams and storages, without those in the storages. */
  readonly names: ReadonlySet<string>
  /**
   * Returns the bytes of a stream, at most `maxBytes`, or `undefined` if there is none with this name. A damaged stream is
   * truncated.
   */
  stream(name: string, maxBytes?: number): Buffer | undefined
  /** Returns the size of a stream in bytes without reading it: as declared, but no more than that of the file. */
  size(name: string): number | undefined
  storage(name: string): CompoundStorage | undefined
}

/**
 * Returns the names of the streams and storages in the root of a compound file, without embedded documents. Reads at most
 * 20,000 directory entries. Returns the names found so far if the directory is damaged or truncated.
 */
export function compoundFileNames(bytes: Uint8Array): ReadonlySet<string> {
  const { entries } = readDirectory(viewOf(bytes))
  return new Set(childrenOf(entries, 0).keys())
}

/**
 * Opens a compound file, and returns its root. Streams are read on access, and none is longer than the file. Never throws: other
 * bytes, and a damaged directory, give a root without the parts that cannot be found.
 */
export function openCompoundFile(bytes: Uint8Array): CompoundStorage {
  const view = viewOf(bytes)
  const { entries, sectors } = readDirectory(view)
  const read = sectors && streamReader(view, entries, sectors)
  const open = (id: number): CompoundStorage => {
    const children = childrenOf(entries, id)
    const streamOf = (name: string): Entry | undefined => {
      const entry = entries[children.get(name) ?? -1]
      return entry?.kind === streamKind ? entry : undefined
    }
    return {
      names: new Set(children.keys()),
      stream: (name, maxBytes) => {
        const entry = streamOf(name)
        return entry && read?.(entry, maxBytes)
      },
      size: (name) => {
        const entry = streamOf(name)
        return entry && Math.min(entry.size, view.length)
      },
      storage: (name) => {
        const child = children.get(name)
        return child !== undefined && entries[child]?.kind === storageKind ? open(child) : undefined
      },
    }
  }
  return open(0)
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

const storageKind = 1
const streamKind = 2

interface Entry {
  readonly name: string
  readonly kind: number
  readonly left: number
  readonly right: number
  readonly child: number
  readonly start: number
  readonly size: number
}

/** Returns the number of each entry in a storage by its name. */
function childrenOf(entries: readonly Entry[], storage: number): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const seen = new Set<number>()
  const waiting = [entries[storage]?.child]
  while (waiting.length > 0) {
    const id = waiting.pop()
    const entry = id === undefined || seen.has(id) ? undefined : entries[id]
    if (id === undefined || !entry) continue
    seen.add(id)
    found.set(entry.name, id)
    waiting.push(entry.left, entry.right)
  }
  return found
}

interface Directory {
  readonly entries: readonly Entry[]
  /** Absent if the bytes are no compound file. */
  readonly sectors?: Sectors
}

function readDirectory(view: Buffer): Directory {
  if (view.length < headerLength || !isCompoundFile(view)) return { entries: [] }
  const shift = view.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) return { entries: [] }
  const size = 2 ** shift
  const sectors = openSectors(view, size)
  const entries: Entry[] = []
  let sector = view.readUInt32LE(48)
  while (entries.length < maxEntries) {
    const bytes = sectors.at(sector)
    if (!bytes) break
    for (let at = 0; at + entryLength <= bytes.length; at += entryLength) entries.push(readEntry(bytes, at))
    const next = sectors.after(sector)
    if (next === undefined || next === sector) break
    sector = next
  }
  return { entries, sectors }
}

function readEntry(view: Buffer, at: number): Entry {
  const length = Math.min(view.readUInt16LE(at + 64), 64)
  return {
    name: view.toString('utf16le', at, at + Math.max(0, length - 2)),
    kind: view.readUInt8(at + 66),
    left: view.readUInt32LE(at + 68),
    right: view.readUInt32LE(at + 72),
    child: view.readUInt32LE(at + 76),
    start: view.readUInt32LE(at + 116),
    size: view.readUInt32LE(at + 120),
  }
}

/** Joins the sectors of a chain, at most `size` bytes. A chain that leads back ends there. */
function chainOf(start: number, size: number, sectors: Pick<Sectors, 'at' | 'after'>): Buffer {
  const chunks: Buffer[] = []
  const seen = new Set<number>()
  let left = size
  let sector: number | undefined = start
  while (left > 0 && sector !== undefined && !seen.has(sector)) {
    seen.add(sector)
    const bytes = sectors.at(sector)
    if (!bytes) break
    chunks.push(bytes.subarray(0, left))
    left -= bytes.length
    sector = sectors.after(sector)
  }
  return Buffer.concat(chunks)
}

const miniSectorSize = 64

/** Returns a function that reads streams. Streams below the cutoff are in small sectors of a common stream, with their own table. */
function streamReader(
  view: Buffer,
  entries: readonly Entry[],
  sectors: Sectors,
): (entry: Entry, maxBytes?: number) => Buffer {
  const cutoff = view.readUInt32LE(56)
  const most = view.length
  let small: Pick<Sectors, 'at' | 'after'> | undefined
  const openSmall = (): Pick<Sectors, 'at' | 'after'> => {
    const root = entries[0]
    const content = root ? chainOf(root.start, Math.min(root.size, most), sectors) : Buffer.alloc(0)
    const table = chainOf(view.readUInt32LE(60), most, sectors)
    return {
      at: (sector) => {
        const start = sector * miniSectorSize
        return start < content.length ? content.subarray(start, start + miniSectorSize) : undefined
      },
      after: (sector) => (sector * 4 + 4 <= table.length ? table.readUInt32LE(sector * 4) : undefined),
    }
  }
  return ({ start, size }, maxBytes = most) =>
    chainOf(start, Math.min(size, most, maxBytes), size < cutoff ? (small ??= openSmall()) : sectors)
}

interface Sectors {
  /** Returns a sector, which may be truncated, or `undefined` if it is outside of the file. */
  at(sector: number): Buffer | undefined
  /** Returns the number of the next sector of a chain. */
  after(sector: number): number | undefined
}

function openSectors(view: Buffer, size: number): Sectors {
  const perSector = size / 4
  const at = (sector: number): Buffer | undefined => {
    const start = (sector + 1) * size
    return start < view.length ? view.subarray(start, start + size) : undefined
  }
  const numberIn = (sector: number, index: number): number | undefined => {
    const found = at(sector)
    return found && index * 4 + 4 <= found.length ? found.readUInt32LE(index * 4) : undefined
  }
  const table = tableSectors(view, at, perSector)
  return {
    at,
    after: (sector) => {
      const part = table[Math.floor(sector / perSector)]
      return part === undefined ? undefined : numberIn(part, sector % perSector)
    },
  }
}

/**
 * Returns the sectors of the allocation table. The header lists the first ones, a chain of further sectors the rest. No more than
 * the file has sectors.
 */
function tableSectors(view: Buffer, at: Sectors['at'], perSector: number): readonly number[] {
  const most = 1 + Math.floor(view.length / (perSector * perSector * 4))
  const found: number[] = []
  for (let index = 0; index < Math.min(most, headerFatSectors); index += 1)
    found.push(view.readUInt32LE(76 + index * 4))
  let link = view.readUInt32LE(68)
  while (found.length < most) {
    const bytes = at(link)
    if (!bytes || bytes.length < perSector * 4) break
    for (let index = 0; index < perSector - 1 && found.length < most; index += 1)
      found.push(bytes.readUInt32LE(index * 4))
    link = bytes.readUInt32LE((perSector - 1) * 4)
  }
  return found
}
