// Cards that a page shows while the pointer is on a name, written into the paragraph right after the name.
import type { Element, Node } from '../tree/tree.ts'
import { nextNode } from '../tree/walk.ts'

const limits = { nameChars: 100, nodes: 40 } as const

/**
 * Returns whether a `span` is the hover card of the link before it: it starts with the same name and has two or more links.
 * Reads at most 40 nodes.
 */
export function isHoverCard(element: Element): boolean {
  const name = element.name === 'span' ? nameBefore(element) : ''
  if (name === '') return false
  let text = ''
  let links = 0
  let node: Node | null = nextNode(element, element)
  for (let seen = 0; node && seen < limits.nodes; seen++) {
    if (node.type === 'text') text += node.text
    else if (node.name === 'a') links++
    if (!name.startsWith(text.trim().slice(0, name.length))) return false
    node = nextNode(node, element)
  }
  return links > 1 && text.trim().length > name.length
}

function nameBefore({ previous }: Element): string {
  const inner = previous?.type === 'element' && previous.name === 'a' ? previous.first : null
  return inner?.type === 'text' && inner.text.length <= limits.nameChars ? inner.text.trim() : ''
}
