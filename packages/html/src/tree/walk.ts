import { append, makeElement, makeText, type Element, type Node } from './tree.ts'

// Pages nest as deep as they like, so nothing here calls itself.

/** The node after this one in document order, within root; children first unless `skipChildren`. */
export function nextNode(node: Node, root: Element, skipChildren = false): Node | null {
  if (!skipChildren && node.type === 'element' && node.first) return node.first
  let at: Node | null = node
  while (at && at !== root) {
    if (at.next) return at.next
    at = at.parent
  }
  return null
}

/** All elements below root in document order. */
export function elementsOf(root: Element): Element[] {
  const found: Element[] = []
  for (let node = nextNode(root, root); node; node = nextNode(node, root)) if (node.type === 'element') found.push(node)
  return found
}

/** The first element of this name below root. */
export function findElement(root: Element, name: string): Element | undefined {
  for (let node = nextNode(root, root); node; node = nextNode(node, root)) {
    if (node.type === 'element' && node.name === name) return node
  }
  return undefined
}

/** All text below a node, scripts and styles included, as it stands. */
export function textOf(node: Node): string {
  if (node.type === 'text') return node.text
  if (!node.first) return ''
  if (node.first === node.last && node.first.type === 'text') return node.first.text
  const texts: string[] = []
  for (let at = nextNode(node, node); at; at = nextNode(at, node)) if (at.type === 'text') texts.push(at.text)
  return texts.join('')
}

/** Text on one line: runs of white space become one space. */
export function lineOf(text: string): string {
  // A single space stays as it is, and most are.
  return text.replaceAll(/[\t\n\f\r\u00A0][\t\n\f\r \u00A0]*| [\t\n\f\r \u00A0]+/g, ' ').trim()
}

/** A copy of an element and all below it. `without` are left out. Attributes are shared: they are never changed. */
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
