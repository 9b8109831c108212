import type { ListedEntry, ListOptions } from '../store.ts'

/** The keys of a store that lists them, in order, where its backend has no order of its own. */
export interface SortedKeys {
  add(key: string): void
  delete(key: string): void
  has(key: string): boolean
  /** The next keys that begin with the prefix. */
  page(prefix: string, options: ListOptions): readonly string[]
}

/** Keeps keys in one sorted array: finding a place takes a few comparisons, and taking it moves memory and no more. */
export function sortedKeys(): SortedKeys {
  const keys: string[] = []
  /** The first place whose key is not before this one. */
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

/** Bounds of a list: from the first key on, up to the other and without it. */
export function listBounds(prefix: string, { after, isReverse = false }: ListOptions): KeyBounds {
  const behind = behindPrefix(prefix)
  if (after === undefined) return { from: prefix, to: behind }
  if (isReverse) return { from: prefix, to: behind !== undefined && compareKeys(behind, after) < 0 ? behind : after }
  // No other key has a place between the two.
  const next = `${after}\0`
  return { from: compareKeys(prefix, next) < 0 ? next : prefix, to: behind }
}

/** A range of keys; without an end when `to` is absent. */
export interface KeyBounds {
  readonly from: string
  readonly to: string | undefined
}

/** The first key behind all that begin with the prefix; nothing when there can be none. */
function behindPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0) ?? 0
    // Between them are the halves of pairs, which are no characters.
    if (point < 0x10ffff) return points.join('') + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1)
  }
  return undefined
}

/** Reads on until a page is full, where some of what is read is there no more. */
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

/** A part of a page of `list`, as `fillPage` reads it. */
export interface PagePart {
  /** The keys that were found, in their order. */
  readonly keys: readonly string[]
  /** Entries of these keys that are alive. */
  readonly entries: readonly ListedEntry[]
}

/** The order of code points, which is that of the bytes in UTF-8. By the units of JavaScript 🌾 would come before \uE000. */
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
