import type { Element } from '../tree/tree.ts'

// `*text*` in excludeTags is a regular expression from a caller. To rule out catastrophic backtracking, only a subset
// is supported: characters, `.`, classes, anchors, `|`, and `.*` between parts. Anything else is matched as plain text.

const maxPatternLength = 200
const maxValueLength = 2_000

const understood = /^(?:[^\\()[\]{}*+?]|\\[^\d]|\.\*|\[[^\]\\]+\])*$/
const gap = /\.\*/

/** Returns whether an entry of `excludeTags` is a pattern (`*word*`) and not a selector. */
export function isPattern(entry: string): boolean {
  return entry.length > 2 && entry.startsWith('*') && entry.endsWith('*')
}

/**
 * Returns a function that searches an element for a pattern such as `*word*`: in its name, and in its attributes, written as
 * `name="value"`. The asterisks at the ends are removed. Ignores case, and reads at most 200 characters of the pattern and
 * 2,000 of a value. A pattern with groups, or with quantifiers other than `.*`, is plain text.
 */
export function compilePattern(entry: string): (element: Element) => boolean {
  const pattern = entry.slice(1, -1).slice(0, maxPatternLength)
  const alternatives = readAlternatives(pattern) ?? [[literal(pattern)]]
  const isFound = (text: string): boolean => alternatives.some((pieces) => holds(text, pieces))
  return ({ name, attributes }) => {
    if (isFound(name)) return true
    for (const attribute in attributes) {
      if (isFound(`${attribute}="${attributes[attribute]!.slice(0, maxValueLength)}"`)) return true
    }
    return false
  }
}

function readAlternatives(pattern: string): RegExp[][] | undefined {
  if (!understood.test(pattern)) return undefined
  try {
    return splitAlternatives(pattern).map((part) => part.split(gap).map((piece) => new RegExp(piece, 'gi')))
  } catch {
    return undefined
  }
}

// Splits at `|`, except in a class or after a backslash.
function splitAlternatives(pattern: string): string[] {
  return pattern.match(/(?:\\.|\[[^\]]+\]|[^|\\[])+/g) ?? []
}

function literal(text: string): RegExp {
  return new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), 'gi')
}

// Takes linear time: no part has a quantifier, and after a gap the leftmost match is always good enough.
function holds(text: string, pieces: readonly RegExp[]): boolean {
  let from = 0
  for (const piece of pieces) {
    piece.lastIndex = from
    if (!piece.test(text)) return false
    from = piece.lastIndex
  }
  return true
}
