import type { Element } from '../tree/tree.ts'

// `*text*` in excludeTags is a regular expression from a caller. A backtracking engine must never see it as it stands,
// so only what cannot backtrack is understood: characters, `.`, classes, anchors, `|`, and `.*` between pieces.
// Anything else is looked for as plain text.

const longestPattern = 200
const longestValue = 2_000

const understood = /^(?:[^\\()[\]{}*+?]|\\[^\d]|\.\*|\[[^\]\\]+\])*$/
const gap = /\.\*/

/** Whether an entry of `includeTags` is a pattern (`*word*`), and no selector. */
export function isPattern(entry: string): boolean {
  return entry.length > 2 && entry.startsWith('*') && entry.endsWith('*')
}

/** Is the pattern found in the element's name or in one of its attributes, written `name="value"`? */
export function compilePattern(entry: string): (element: Element) => boolean {
  const pattern = entry.slice(1, -1).slice(0, longestPattern)
  const alternatives = readAlternatives(pattern) ?? [[literal(pattern)]]
  const isFound = (text: string): boolean => alternatives.some((pieces) => holds(text, pieces))
  return ({ name, attributes }) => {
    if (isFound(name)) return true
    for (const attribute in attributes) {
      if (isFound(`${attribute}="${attributes[attribute]!.slice(0, longestValue)}"`)) return true
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

// A `|` inside a class or after a backslash is a character.
function splitAlternatives(pattern: string): string[] {
  return pattern.match(/(?:\\.|\[[^\]]+\]|[^|\\[])+/g) ?? []
}

function literal(text: string): RegExp {
  return new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), 'gi')
}

// No piece has a quantifier, and after a gap the leftmost place is as good as any: so time grows with the text.
function holds(text: string, pieces: readonly RegExp[]): boolean {
  let from = 0
  for (const piece of pieces) {
    piece.lastIndex = from
    if (!piece.test(text)) return false
    from = piece.lastIndex
  }
  return true
}
