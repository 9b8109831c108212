export interface Candidate {
  readonly url: string
  readonly width: number | undefined
  /** Pixels per CSS pixel; 1 if the candidate has no density. */
  readonly density: number
}

const space = /[\t\n\f\r ]/
const trailingCommas = /,+$/

/**
 * Parses a `srcset` by the rules of the HTML standard; empty if it has no candidates. URLs may contain commas, as
 * `data:` URLs do.
 */
export function parseSrcset(srcset: string): Candidate[] {
  const candidates: Candidate[] = []
  let at = 0
  while (at < srcset.length) {
    while (at < srcset.length && (space.test(srcset[at]!) || srcset[at] === ',')) at++
    const start = at
    while (at < srcset.length && !space.test(srcset[at]!)) at++
    if (start === at) break
    const url = srcset.slice(start, at)
    if (url.endsWith(',')) {
      candidates.push({ url: url.replace(trailingCommas, ''), width: undefined, density: 1 })
      continue
    }
    const end = endOfDescriptors(srcset, at)
    candidates.push({ url, ...readDescriptors(srcset.slice(at, end)) })
    at = end + 1
  }
  return candidates
}

// Commas inside parentheses do not end a candidate.
function endOfDescriptors(srcset: string, from: number): number {
  let depth = 0
  for (let at = from; at < srcset.length; at++) {
    if (srcset[at] === '(') depth++
    else if (srcset[at] === ')') depth--
    else if (srcset[at] === ',' && depth <= 0) return at
  }
  return srcset.length
}

function readDescriptors(text: string): Pick<Candidate, 'width' | 'density'> {
  let width: number | undefined
  let density = 1
  for (const part of text.split(space)) {
    const value = Number.parseFloat(part)
    if (!(value > 0)) continue
    if (part.endsWith('w')) width = value
    else if (part.endsWith('x')) density = value
  }
  return { width, density }
}

/**
 * Returns the URL of the largest candidate, or `undefined` if there is none. `src` counts as 1x, but only if no
 * candidate has a width.
 */
export function largestCandidate(srcset: string, src?: string): string | undefined {
  const candidates = parseSrcset(srcset)
  const usesWidths = candidates.some(({ width }) => width !== undefined)
  let largest = usesWidths || !src ? undefined : src
  let size = largest === undefined ? 0 : 1
  for (const { url, width, density } of candidates) {
    const own = usesWidths ? (width ?? 0) : density
    if (own <= size && largest !== undefined) continue
    largest = url
    size = own
  }
  return largest
}
