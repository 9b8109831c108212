import { free, ownBytes } from '@harvestman/ports/values'
import { hash64 } from '@harvestman/toolbox/hash64'
import { numberBytes, numbersIn } from '@harvestman/toolbox/number-bytes'

/**
 * The set of all URLs that a crawl has encountered, as 64-bit hashes: 10 to 16 bytes each, whatever their length. The
 * probability that a new URL is mistaken for a known one is `size / 2^64`: once in thirty million crawls of a million pages.
 */
export interface Seen {
  readonly size: number
  /** Memory used, in bytes. */
  readonly bytes: number
  has(url: string): boolean
  /** Adds a URL, and returns whether it was new. */
  add(url: string): boolean
  /** Adds a URL that must be part of the next `take`, even if it is already known. */
  keep(url: string): void
  /** Returns the URLs added by `keep` since the last call, for `restore`. */
  take(): Uint8Array
  restore(taken: Uint8Array): void
}

// Growing one large table would block the event loop; many small tables grow one at a time.
const tableCount = 64
const firstCapacity = 16
const fullAt = 0.8
const growth = 1.5
const hashRange = 2 ** 32

interface Table {
  /** Pairs of high and low bits; a pair of zeros is a free slot. */
  places: Uint32Array<ArrayBuffer>
  used: number
}

/**
 * Creates an empty set of URLs, which stores hashes only, in 10 to 16 bytes each. `add` returns whether the URL is new. Two
 * URLs collide with a probability of 1 in 2^64.
 */
export function makeSeen(): Seen {
  const tables = Array.from({ length: tableCount }, (): Table => ({ places: emptyPlaces(firstCapacity), used: 0 }))
  const hash = { high: 0, low: 0 }
  let unsaved: number[] = []
  let size = 0

  const tableOf = (high: number): Table => tables[high >>> 26]!
  const read = (url: string): void => {
    hash64(url, hash)
    if (hash.high === 0 && hash.low === 0) hash.low = 1
  }

  const addHash = (): boolean => {
    const { high, low } = hash
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
      return addHash()
    },
    keep(url) {
      read(url)
      addHash()
      unsaved.push(hash.high, hash.low)
    },
    take() {
      const taken = numberBytes(unsaved)
      unsaved = []
      return taken
    },
    restore(taken) {
      const numbers = numbersIn(taken)
      for (let at = 0; at < numbers.length; at += 2) {
        hash.high = numbers[at]!
        hash.low = numbers[at + 1]!
        addHash()
      }
    },
  }
}

function emptyPlaces(capacity: number): Uint32Array<ArrayBuffer> {
  return new Uint32Array(capacity * 2)
}

/** Returns the index of the pair, or of the free slot for it. */
function findPlace(places: Uint32Array, high: number, low: number): number {
  const { length } = places
  const capacity = length >>> 1
  for (let at = Math.floor((low * capacity) / hashRange) * 2; ; at = at + 2 === length ? 0 : at + 2) {
    const foundHigh = places[at]
    const foundLow = places[at + 1]
    if ((foundHigh === high && foundLow === low) || (foundHigh === 0 && foundLow === 0)) return at
  }
}

function grow(table: Table): void {
  const old = table.places
  const places = emptyPlaces(Math.ceil((old.length / 2) * growth))
  for (let from = 0; from < old.length; from += 2) {
    const high = old[from]!
    const low = old[from + 1]!
    if (high === 0 && low === 0) continue
    const at = findPlace(places, high, low)
    places[at] = high
    places[at + 1] = low
  }
  table.places = places
  free(ownBytes(old))
}
