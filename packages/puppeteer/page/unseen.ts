import { findHidden } from './hidden.ts'
import { attributeOf, firstElementOf, nextElementOf, nodeTypeOf, parentNodeOf, textOf } from './nodes.ts'

/** Elements that the accessibility tree has although nobody can see them. */
export interface UnseenElements {
  readonly elements: readonly Element[]
  /** For each element: how its text is hidden, or `shown` for an element inside another one that is visible again. */
  readonly reasons: readonly string[]
  /** For each element: whether it is inside another one of them, also in a shadow root. */
  readonly isInner: readonly boolean[]
}

const maxElements = 500
/** The accessibility tree has no elements that are hidden in these ways. */
const known = new Set(['display', 'visibility', 'dialog'])

/** Returns the elements of the document that nobody can see, in document order. */
export function findUnseen(): UnseenElements {
  const found = findHidden(document)
  const elements = new Set<Element>()
  const reasons: string[] = []
  const isInner: boolean[] = []
  for (const [element, how] of typeof found === 'object' ? found : []) {
    if (elements.size >= maxElements) break
    const [reason = '', flags = ''] = how.split(' ')
    if (known.has(reason) || flags.includes('r') || isAlternative(element)) continue
    isInner.push(isWithin(element, elements))
    reasons.push(reason)
    elements.add(element)
  }
  return { elements: [...elements], reasons, isInner }
}

function isWithin(element: Element, elements: ReadonlySet<Node>): boolean {
  let at = parentOf(element)
  while (at && !elements.has(at)) at = parentOf(at)
  return at !== null
}

/** Returns the parent of a node. That of a shadow root is its host. */
const parentOf = (node: Node): Node | null => (node instanceof ShadowRoot ? node.host : parentNodeOf(node))

const maxAlternative = 100

/** Returns whether the element is a short text that screen readers read in place of a visible sibling, such as a price. */
function isAlternative(element: Element): boolean {
  const parent = parentNodeOf(element)
  if (!parent || nodeTypeOf(parent) !== 1 || (textOf(element) ?? '').trim().length > maxAlternative) return false
  for (let at = firstElementOf(parent as Element); at; at = nextElementOf(at)) {
    if (at !== element && attributeOf(at, 'aria-hidden') === 'true') return true
  }
  return false
}
