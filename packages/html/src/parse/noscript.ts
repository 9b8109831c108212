import type { Element, Node } from '../tree/tree.ts'
import { elementsOf, nextNode } from '../tree/walk.ts'

/** Elements whose text is not seen on the page. */
export const wordless: ReadonlySet<string> = new Set(
  'head script style template noscript svg iframe object canvas video audio select textarea'.split(' '),
)

const fewest = 600
const fewestAlone = 200

/** Some forums give readers without scripts the whole page, and all others an empty one. */
export function isInNoscript(root: Element): boolean {
  let inside = 0
  for (const element of elementsOf(root)) if (element.name === 'noscript') inside += countText(element)
  if (inside < fewestAlone) return false
  const outside = countText(root)
  return inside >= (outside === 0 ? fewestAlone : fewest) && inside >= outside * 2
}

/** Characters of text below an element that a reader sees. */
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
