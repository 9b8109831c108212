// The one tree of a page. Main content, metadata, links, images and Markdown all read it; nothing is parsed twice.
// Plain linked nodes: an index into children is what makes other trees quadratic, so there is none.

/** A node of the tree of a page. */
export type Node = Element | Text

/** An element of the tree of a page. */
export interface Element {
  readonly type: 'element'
  /** Lower case. The root of a parsed page is named `#document`. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  parent: Element | null
  previous: Node | null
  next: Node | null
  first: Node | null
  last: Node | null
}

/** A text of the tree of a page. */
export interface Text {
  readonly type: 'text'
  /** Entities are decoded, neighbours are merged. */
  text: string
  parent: Element | null
  previous: Node | null
  next: Node | null
}

// Names come from pages: `constructor` must not be found on an element that has no such attribute.
const noNames: object = Object.freeze(Object.create(null))
const noAttributes: Readonly<Record<string, string>> = Object.freeze(makeAttributes())

/** An empty record for attributes, without names of its own. */
export function makeAttributes(): Record<string, string> {
  return Object.create(noNames) as Record<string, string>
}

// Made by constructors: V8 may come to put what literals make straight among its old objects, where a page's tree stays,
// with all that it leads to, until the next full collection.
class PageElement implements Element {
  readonly type = 'element'
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  parent: Element | null = null
  previous: Node | null = null
  next: Node | null = null
  first: Node | null = null
  last: Node | null = null

  constructor(name: string, attributes: Readonly<Record<string, string>>) {
    this.name = name
    this.attributes = attributes
  }
}

class PageText implements Text {
  readonly type = 'text'
  text: string
  parent: Element | null = null
  previous: Node | null = null
  next: Node | null = null

  constructor(text: string) {
    this.text = text
  }
}

/** Makes an element without parent and children. */
export function makeElement(name: string, attributes: Readonly<Record<string, string>> = noAttributes): Element {
  return new PageElement(name, attributes)
}

export function makeText(text: string): Text {
  return new PageText(text)
}

export function append(parent: Element, child: Node): void {
  child.parent = parent
  child.previous = parent.last
  child.next = null
  if (parent.last) parent.last.next = child
  else parent.first = child
  parent.last = child
}

/** Puts a node that has no parent yet before a sibling that has one. */
export function insertBefore(reference: Node, node: Node): void {
  const { parent, previous } = reference
  node.parent = parent
  node.previous = previous
  node.next = reference
  reference.previous = node
  if (previous) previous.next = node
  else if (parent) parent.first = node
}

/** Takes a node out of its parent. What the node holds stays in it. */
export function detach(node: Node): void {
  const { parent, previous, next } = node
  if (!parent) return
  if (previous) previous.next = next
  else parent.first = next
  if (next) next.previous = previous
  else parent.last = previous
  node.parent = null
  node.previous = null
  node.next = null
}
