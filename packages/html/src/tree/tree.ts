// The tree of a page. It is parsed once and used for main content, metadata, links, images and Markdown. Children are a
// linked list without an index, as maintaining one can take quadratic time.

/** A node in a page's tree. */
export type Node = Element | Text

/** An element in a page's tree. */
export interface Element {
  readonly type: 'element'
  /** In lower case. The root of a parsed page is `#document`. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  parent: Element | null
  previous: Node | null
  next: Node | null
  first: Node | null
  last: Node | null
}

/** A text node in a page's tree. */
export interface Text {
  readonly type: 'text'
  /** Entities are decoded, and adjacent text nodes are merged. */
  text: string
  parent: Element | null
  previous: Node | null
  next: Node | null
}

// Without inherited names: pages choose attribute names, and `constructor` must not exist unless the page has it.
const noNames: object = Object.freeze(Object.create(null))
const noAttributes: Readonly<Record<string, string>> = Object.freeze(makeAttributes())

/** Returns whether an element may have attributes. Faster than reading one, and most elements have none. */
export const hasAttributes = ({ attributes }: Element): boolean => attributes !== noAttributes

/** Returns an empty record for attributes, without inherited names. */
export function makeAttributes(): Record<string, string> {
  return Object.create(noNames) as Record<string, string>
}

// Classes, because V8 may allocate object literals directly in the old generation, where a whole tree stays in memory
// until the next full garbage collection.
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

/** Creates an element without parent and children. */
export function makeElement(name: string, attributes: Readonly<Record<string, string>> = noAttributes): Element {
  return new PageElement(name, attributes)
}

/** Creates a text node without a parent. */
export function makeText(text: string): Text {
  return new PageText(text)
}

/** Appends a node that has no parent as the last child. */
export function append(parent: Element, child: Node): void {
  child.parent = parent
  child.previous = parent.last
  child.next = null
  if (parent.last) parent.last.next = child
  else parent.first = child
  parent.last = child
}

/** Inserts a node that has no parent before a sibling that has one. */
export function insertBefore(reference: Node, node: Node): void {
  const { parent, previous } = reference
  node.parent = parent
  node.previous = previous
  node.next = reference
  reference.previous = node
  if (previous) previous.next = node
  else if (parent) parent.first = node
}

/** Removes a node, with its children, from its parent. Does nothing without a parent. */
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
