import { hash64 } from '../lib/hash64.ts'

/**
 * The addresses of a crawl that were met before, as hashes of 64 bits: 11 to 22 bytes each, however long they are. A new
 * address is taken for an old one with a chance of `size / 2^64`: once in thirty million crawls of a million pages.
 */
export interface Seen {
  readonly size: number
  /** Bytes held. */
  readonly bytes: number
  has(url: string): boolean
  /** Whether it was new. */
  add(url: string): boolean
  /** Everything, in parts that `load` takes again in any order; eight bytes an address. */
  export(): Iterable<Uint8Array>
  load(part: Uint8Array): void
}

// Growing one large table would stop the event loop; of many small ones, one grows at a time.
const tableCount = 64
const firstCapacity = 16
const fullAt = 0.75

interface Table {
  /** Pairs of high and low; a pair of zeros is a free place. */
  places: Uint32Array
  used: number
}

export function makeSeen(): Seen {
  const tables = Array.from({ length: tableCount }, (): Table => ({ places: emptyPlaces(firstCapacity), used: 0 }))
  const hash = { high: 0, low: 0 }
  let size = 0

  const tableOf = (high: number): Table => tables[high >>> 26]!
  const read = (url: string): void => {
    hash64(url, hash)
    if (hash.high === 0 && hash.low === 0) hash.low = 1
  }
  const insert = (high: number, low: number): boolean => {
    const table = tableOf(high)
    const at = findPlace(table.places, high, low)
    if (table.places[at] !== 0 || table.places[at + 1] !== 0) return false
    table.places[at] = high
    table.places[at + 1] = low
    table.used += 1
    size += 1
    if (table.used * 2 > table.places.length * fullAt) grow(table)
    return true
  }

  return {
    get size() {
      return size
    },
    get bytes() {
      return tables.reduce((sum, { places }) => sum + places.byteLength, 0)
    },
    has(url) {
      read(url)
      const { places } = tableOf(hash.high)
      const at = findPlace(places, hash.high, hash.low)
      return places[at] !== 0 || places[at + 1] !== 0
    },
    add(url) {
      read(url)
      return insert(hash.high, hash.low)
    },
    *export() {
      for (const table of tables) if (table.used > 0) yield dense(table)
    },
    load(part) {
      const view = new DataView(part.buffer, part.byteOffset, part.byteLength)
      for (let at = 0; at + 8 <= part.byteLength; at += 8)
        insert(view.getUint32(at, true), view.getUint32(at + 4, true))
    },
  }
}

function emptyPlaces(capacity: number): Uint32Array {
  return new Uint32Array(capacity * 2)
}

/** Where the pair is, or else the free place where it belongs. */
function findPlace(places: Uint32Array, high: number, low: number): number {
  const mask = places.length - 1
  for (let at = (low * 2) & mask; ; at = (at + 2) & mask) {
    const foundHigh = places[at]
    const foundLow = places[at + 1]
    if ((foundHigh === high && foundLow === low) || (foundHigh === 0 && foundLow === 0)) return at
  }
}

function grow(table: Table): void {
  const places = emptyPlaces(table.places.length)
  for (const [high, low] of pairs(table.places)) {
    const at = findPlace(places, high, low)
    places[at] = high
    places[at + 1] = low
  }
  table.places = places
}

function dense(table: Table): Uint8Array {
  const view = new DataView(new ArrayBuffer(table.used * 8))
  let at = 0
  for (const [high, low] of pairs(table.places)) {
    view.setUint32(at, high, true)
    view.setUint32(at + 4, low, true)
    at += 8
  }
  return new Uint8Array(view.buffer)
}

function* pairs(places: Uint32Array): Generator<readonly [high: number, low: number]> {
  for (let at = 0; at < places.length; at += 2) {
    const high = places[at]!
    const low = places[at + 1]!
    if (high !== 0 || low !== 0) yield [high, low]
  }
}
