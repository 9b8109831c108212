import type { Element, Node } from '../tree/tree.ts'
import { elementsOf, nextNode } from '../tree/walk.ts'

/** Elements whose text browsers do not show. */
export const wordless: ReadonlySet<string> = new Set(
  'head script style template noscript svg iframe object canvas video audio select textarea'.split(' '),
)

const minCharacters = 600
const minCharactersAlone = 200

/**
 * Returns whether the page has its content in `<noscript>`, as some forums do for clients without scripts: at least 600
 * characters and twice as many as outside of it, or 200 if there are none outside.
 */
export function isInNoscript(root: Element): boolean {
  let inside = 0
  for (const element of elementsOf(root)) if (element.name === 'noscript') inside += countText(element)
  if (inside < minCharactersAlone) return false
  const outside = countText(root)
  return inside >= (outside === 0 ? minCharactersAlone : minCharacters) && inside >= outside * 2
}

/**
 * Returns the number of characters of text below an element, without white space at the ends of text nodes. Nodes in `removed`
 * and elements such as scripts, whose text browsers do not show, are not counted. Styles are not considered.
 */
export function countText(root: Element, removed?: ReadonlySet<Node>): number {
  let length = 0
  let node = nextNode(root, root)
  while (node) {
    const isSkipped = removed?.has(node) || (node.type === 'element' && wordless.has(node.name))
    if (!isSkipped && node.type === 'text') length += node.text.trim().length
    node = nextNode(node, root, isSkipped)
  }
  return length
}
