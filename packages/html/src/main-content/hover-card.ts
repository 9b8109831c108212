// Cards that a page shows while the pointer is on a name, written into the paragraph right after the name.
import type { Element, Node } from '../tree/tree.ts'
import { nextNode } from '../tree/walk.ts'

const limits = { minNameChars: 3, nameChars: 100, nodes: 40 } as const

const letterOrDigit = /[\p{L}\p{N}]/u

/**
 * Returns whether a `span` is the hover card of the link before it: it starts with the same name, its first link with text
 * is that name too, and it has further links. Reads at most 40 nodes.
 */
export function isHoverCard(element: Element): boolean {
  const { previous } = element
  if (element.name !== 'span' || previous?.type !== 'element' || previous.name !== 'a') return false
  const name = nameOf(previous)
  if (name.length < limits.minNameChars) return false
  let start = ''
  let links = 0
  let isNamed = false
  let node: Node | null = nextNode(element, element)
  for (let seen = 0; node && seen < limits.nodes; seen++) {
    if (node.type === 'text' && start.length < name.length) {
      const text = start === '' ? node.text.trimStart() : node.text
      const end = name.length - start.length
      start += text.slice(0, end)
      if (!name.startsWith(start) || letterOrDigit.test(text[end] ?? '')) return false
    } else if (node.type === 'element' && node.name === 'a') {
      links++
      const own: string = isNamed ? '' : nameOf(node)
      if (own !== '' && own !== name) return false
      isNamed ||= own === name
    }
    node = nextNode(node, element)
  }
  return isNamed && links > 1 && start === name
}

/** Returns the first text node of a link, trimmed. Empty if the link starts with an element, or with a long text node. */
function nameOf({ first }: Element): string {
  return first?.type === 'text' && first.text.length <= limits.nameChars ? first.text.trim() : ''
}
