import type { ListedEntry, ListOptions } from '../store.ts'

/** The listed keys of a store, in order, for backends that have no order of their own. */
export interface SortedKeys {
  add(key: string): void
  delete(key: string): void
  has(key: string): boolean
  /** Returns the next keys with the prefix. */
  page(prefix: string, options: ListOptions): readonly string[]
}

/** Creates an empty sorted array of keys: finding a position takes a few comparisons, inserting moves memory. */
export function sortedKeys(): SortedKeys {
  const keys: string[] = []
  /** Returns the first index whose key is not before this one. */
  const placeOf = (key: string): number => {
    let [low, high] = [0, keys.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareKeys(keys[middle] ?? '', key) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
  const has = (key: string): boolean => keys[placeOf(key)] === key
  return {
    has,
    add: (key) => {
      const place = placeOf(key)
      if (keys[place] !== key) keys.splice(place, 0, key)
    },
    delete: (key) => {
      const place = placeOf(key)
      if (keys[place] === key) keys.splice(place, 1)
    },
    page: (prefix, options) => {
      const { from, to } = listBounds(prefix, options)
      const [first, end] = [placeOf(from), to === undefined ? keys.length : placeOf(to)]
      if (options.isReverse) return keys.slice(Math.max(first, end - options.limit), Math.max(first, end)).reverse()
      return keys.slice(first, Math.min(end, first + options.limit))
    },
  }
}

/**
 * Returns the range of the keys of a list: those with the prefix, and if `after` is given, only those that follow it in the
 * order of the list, which may be reversed.
 */
export function listBounds(prefix: string, { after, isReverse = false }: ListOptions): KeyBounds {
  const behind = behindPrefix(prefix)
  if (after === undefined) return { from: prefix, to: behind }
  if (isReverse) return { from: prefix, to: behind !== undefined && compareKeys(behind, after) < 0 ? behind : after }
  // The smallest key after `after`.
  const next = `${after}\0`
  return { from: compareKeys(prefix, next) < 0 ? next : prefix, to: behind }
}

/** A range of keys: `from` is inclusive, `to` exclusive. Open-ended when `to` is undefined. */
export interface KeyBounds {
  readonly from: string
  readonly to: string | undefined
}

/** Returns the first key after all keys with the prefix, or `undefined` if there is none. */
function behindPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0) ?? 0
    // Skips surrogates, which are not characters.
    if (point < 0x10ffff) return points.join('') + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1)
  }
  return undefined
}

/**
 * Calls `read` until a page of `options.limit` entries is full or there are no more keys, because some of the found keys may
 * no longer have a live entry. Rejects if `read` does.
 */
export async function fillPage(
  options: ListOptions,
  read: (part: ListOptions) => PagePart | Promise<PagePart>,
): Promise<readonly ListedEntry[]> {
  const entries: ListedEntry[] = []
  let after = options.after
  for (;;) {
    const limit = options.limit - entries.length
    const part = await read({ ...options, limit, after })
    entries.push(...part.entries)
    after = part.keys.at(-1)
    if (part.keys.length < limit || entries.length >= options.limit) return entries
  }
}

/** A part of a page of `list`, as read by `fillPage`. */
export interface PagePart {
  /** The keys found, in order. */
  readonly keys: readonly string[]
  /** The live entries of these keys. */
  readonly entries: readonly ListedEntry[]
}

/**
 * Compares keys by code points, which is the order of their UTF-8 bytes. Negative if `one` comes first, 0 if they are equal.
 * Comparing UTF-16 units would put 🌾 before \uE000.
 */
export function compareKeys(one: string, other: string): number {
  let at = 0
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1
  return rankAt(one, at) - rankAt(other, at)
}

function rankAt(key: string, at: number): number {
  if (at >= key.length) return -1
  const unit = key.charCodeAt(at)
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
