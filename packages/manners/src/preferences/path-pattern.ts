// Path patterns of robots.txt, tdmrep.json and RSL: a prefix with `*`, and `$` for the end.
import { plainOctets } from '@harvestman/toolbox/plain-octets'

const maxPattern = 2_000
const maxWildcards = 20

/**
 * Returns whether a path begins with a pattern, whatever their percent-encoding. False for a pattern with more than 2,000
 * characters or 20 wildcards.
 */
export function matchesPath(pattern: string, path: string): boolean {
  return pattern.length <= maxPattern && matchesOctets(plainOctets(pattern), plainOctets(path))
}

function matchesOctets(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...rest] = (isWhole ? pattern.slice(0, -1) : pattern).split('*', maxWildcards + 2)
  if (rest.length > maxWildcards) return false
  if (!path.startsWith(first)) return false
  const last = rest.pop()
  if (last === undefined) return !isWhole || path.length === first.length
  let at = first.length
  for (const part of rest) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return isWhole ? path.length - last.length >= at && path.endsWith(last) : path.indexOf(last, at) >= 0
}

/** Returns the length of a pattern in octets, without wildcards: a longer one is more specific. */
export function specificity(pattern: string): number {
  return plainOctets(pattern).replaceAll(/[*$]/g, '').length
}
