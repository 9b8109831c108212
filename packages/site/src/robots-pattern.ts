/** One line of robots.txt: a path, with `*` for anything and `$` for the end. */
export interface Pattern {
  readonly isAllow: boolean
  /** Octets of the pattern: of two that match, the longer one says more. */
  readonly length: number
  /** The text between the stars. */
  readonly pieces: readonly string[]
  readonly isAnchored: boolean
}

/** Gives nothing for a line that says nothing: an empty one, or one that no path can match. */
export function readPattern(value: string, isAllow: boolean): Pattern | undefined {
  if (!value.startsWith('/') && !value.startsWith('*')) return undefined
  const text = plainOctets(value)
  const isAnchored = text.endsWith('$')
  const pieces = (isAnchored ? text.slice(0, -1) : text).split('*')
  return { isAllow, length: text.length, pieces, isAnchored }
}

/** The order in which the first match decides. Of two that are equally long the kinder one wins. */
export function longestFirst(one: Pattern, other: Pattern): number {
  return other.length - one.length || Number(other.isAllow) - Number(one.isAllow)
}

/** Takes each piece at its first place, which is never the wrong one, so no pattern makes this slow. */
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

/** Octets are compared, so each has one spelling: what need not be encoded is not, and all else is (RFC 9309, 2.2.2). */
export function plainOctets(text: string): string {
  if (!/[^\x21-\x7e]|%/.test(text)) return text
  return text.toWellFormed().replace(/%[\da-f]{2}|[^\x21-\x7e]/giu, (piece) => {
    if (piece.length !== 3 || !piece.startsWith('%')) return encodeURIComponent(piece)
    const letter = String.fromCharCode(Number.parseInt(piece.slice(1), 16))
    return /[\w.~-]/.test(letter) ? letter : piece.toUpperCase()
  })
}
