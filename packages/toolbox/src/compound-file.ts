// Reads the directory of compound files, the container of Office files before 2007 and of encrypted ones ([MS-CFB]).
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

/**
 * Returns the names of the streams and storages in the root of a compound file, without embedded documents. Reads at most
 * 20,000 directory entries. Returns the names found so far if the directory is damaged or truncated.
 */
export function compoundFileNames(bytes: Uint8Array): ReadonlySet<string> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries = readDirectory(view)
  const names = new Set<string>()
  const seen = new Set<number>()
  const waiting = [entries[0]?.child]
  while (waiting.length > 0) {
    const id = waiting.pop()
    const entry = id === undefined || seen.has(id) ? undefined : entries[id]
    if (id === undefined || !entry) continue
    seen.add(id)
    names.add(entry.name)
    waiting.push(entry.left, entry.right)
  }
  return names
}

interface Entry {
  readonly name: string
  readonly left: number
  readonly right: number
  readonly child: number
}

function readDirectory(view: Buffer): Entry[] {
  if (view.length < headerLength || !isCompoundFile(view)) return []
  const shift = view.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) return []
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
  return entries
}

function readEntry(view: Buffer, at: number): Entry {
  const length = Math.min(view.readUInt16LE(at + 64), 64)
  return {
    name: view.toString('utf16le', at, at + Math.max(0, length - 2)),
    left: view.readUInt32LE(at + 68),
    right: view.readUInt32LE(at + 72),
    child: view.readUInt32LE(at + 76),
  }
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
  /** The header lists the first sectors of the allocation table, a chain of further sectors the rest. */
  const tableSector = (index: number): number | undefined => {
    if (index < headerFatSectors) return view.readUInt32LE(76 + index * 4)
    const perLink = perSector - 1
    let link: number | undefined = view.readUInt32LE(68)
    for (let left = index - headerFatSectors; link !== undefined; left -= perLink) {
      if (left < perLink) return numberIn(link, left)
      link = numberIn(link, perLink)
    }
    return undefined
  }
  return {
    at,
    after: (sector) => {
      const table = tableSector(Math.floor(sector / perSector))
      return table === undefined ? undefined : numberIn(table, sector % perSector)
    },
  }
}
