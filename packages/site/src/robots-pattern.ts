import { plainOctets } from '@harvestman/toolbox/plain-octets'

/** A rule of robots.txt: a path in which `*` matches anything and a final `$` the end. */
export interface Pattern {
  readonly isAllow: boolean
  /** Length of the pattern in octets: if two patterns match, the longer one is more specific. */
  readonly length: number
  /** The strings between the `*`. */
  readonly pieces: readonly string[]
  readonly isAnchored: boolean
}

/**
 * Parses the path of a rule, which may contain `*` and end in `$`. Returns `undefined` for a rule without effect: an empty one,
 * or one that matches no path.
 */
export function readPattern(value: string, isAllow: boolean): Pattern | undefined {
  if (!value.startsWith('/') && !value.startsWith('*')) return undefined
  const text = plainOctets(value)
  const isAnchored = text.endsWith('$')
  const pieces = (isAnchored ? text.slice(0, -1) : text).split('*')
  return { isAllow, length: text.length, pieces, isAnchored }
}

/**
 * Compares two rules for the order in which the first match decides: longest first, and `Allow` before `Disallow` of equal
 * length.
 */
export function compareByLength(one: Pattern, other: Pattern): number {
  return other.length - one.length || Number(other.isAllow) - Number(one.isAllow)
}

/**
 * Returns whether a rule matches the path, which must be normalized by `plainOctets`. Matches each part at its first
 * occurrence, which is always correct, so no pattern takes long.
 */
export function matches({ pieces, isAnchored }: Pattern, path: string): boolean {
  const first = pieces[0]!
  if (!path.startsWith(first)) return false
  const last = pieces.length - 1
  if (last === 0) return !isAnchored || path.length === first.length
  let at = first.length
  for (let index = 1; index < last; index++) {
    const piece = pieces[index]!
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  const end = pieces[last]!
  if (isAnchored) return path.length - end.length >= at && path.endsWith(end)
  return path.includes(end, at)
}
