import { append, makeElement, makeText, type Element, type Node } from './tree.ts'

// All functions are iterative, as pages can be nested to any depth.

/**
 * Returns the next node in document order within root, or `null` at the end. With `skipChildren`, skips the node's
 * descendants.
 */
export function nextNode(node: Node, root: Element, skipChildren = false): Node | null {
  if (!skipChildren && node.type === 'element' && node.first) return node.first
  let at: Node | null = node
  while (at && at !== root) {
    if (at.next) return at.next
    at = at.parent
  }
  return null
}

/** Returns all elements below root in document order. */
export function elementsOf(root: Element): Element[] {
  const found: Element[] = []
  let node = root.first
  while (node) {
    if (node.type === 'element') {
      found.push(node)
      if (node.first) {
        node = node.first
        continue
      }
    }
    let at: Node = node
    while (!at.next && at.parent && at.parent !== root) at = at.parent
    node = at.next
  }
  return found
}

/** Returns the first element with this name below root, in document order, or `undefined` if there is none. */
export function findElement(root: Element, name: string): Element | undefined {
  for (let node = nextNode(root, root); node; node = nextNode(node, root)) {
    if (node.type === 'element' && node.name === name) return node
  }
  return undefined
}

/** Returns all text below a node, including scripts and styles, with its white space. */
export function textOf(node: Node): string {
  if (node.type === 'text') return node.text
  if (!node.first) return ''
  if (node.first === node.last && node.first.type === 'text') return node.first.text
  const texts: string[] = []
  for (let at = nextNode(node, node); at; at = nextNode(at, node)) if (at.type === 'text') texts.push(at.text)
  return texts.join('')
}

/** Returns a string on one line: runs of white space, also no-break spaces, become one space, and are removed at the ends. */
export function lineOf(text: string): string {
  // Does not match single spaces, which need no change and are the most frequent.
  return text.replaceAll(/[\t\n\f\r\u00A0][\t\n\f\r \u00A0]*| [\t\n\f\r \u00A0]+/g, ' ').trim()
}

/**
 * Copies an element and its descendants, except the nodes in `without`. Attributes are shared, as they never change.
 */
export function cloneTree(element: Element, without?: ReadonlySet<Node>): Element {
  const copy = makeElement(element.name, element.attributes)
  let target = copy
  let node = nextNode(element, element)
  let parent = element
  while (node) {
    while (node.parent !== parent) {
      parent = parent.parent!
      target = target.parent!
    }
    if (without?.has(node)) {
      node = nextNode(node, element, true)
      continue
    }
    if (node.type === 'text') append(target, makeText(node.text))
    else {
      const child = makeElement(node.name, node.attributes)
      append(target, child)
      if (node.first) {
        target = child
        parent = node
      }
    }
    node = nextNode(node, element)
  }
  return copy
}
