export interface XmlElement {
  /** With the fixed prefix of its namespace in `names.ts`, or the prefix of the file for unknown namespaces. */
  name: string
  attributes: Readonly<Record<string, string>>
  children: XmlNode[]
}

/** An element, or a text node as a string. */
export type XmlNode = XmlElement | string

const none: XmlElement = { name: '', attributes: Object.freeze(Object.create(null)), children: [] }

/** Returns the first child element of this name, or `undefined` if there is none. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const child of element?.children ?? []) if (typeof child !== 'string' && child.name === name) return child
  return undefined
}

/** Returns the element at the end of a path of names, or an empty element if there is none. */
export function at(element: XmlElement | undefined, ...path: readonly string[]): XmlElement {
  let found = element
  for (const name of path) found = childOf(found, name)
  return found ?? none
}

/** Returns the child elements, all of them or those of this name. Empty if there are none or the element is missing. */
export function childrenOf(element: XmlElement | undefined, name?: string): XmlElement[] {
  const found: XmlElement[] = []
  for (const child of element?.children ?? []) {
    if (typeof child !== 'string' && (name === undefined || child.name === name)) found.push(child)
  }
  return found
}

/** Yields all descendant elements in document order. Does not descend into elements for which `isOver` returns true. */
export function* elementsIn(element: XmlElement, isOver?: (element: XmlElement) => boolean): Generator<XmlElement> {
  const waiting = element.children.toReversed()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node === 'string') continue
    yield node
    if (isOver?.(node)) continue
    for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i] as XmlNode)
  }
}

/** Returns all descendant elements of this name, in document order. */
export function findAll(element: XmlElement, name: string): XmlElement[] {
  return [...elementsIn(element)].filter((found) => found.name === name)
}

/** Returns all text in an element and its descendants, with its white space. Empty for a missing element. */
export function textIn(element: XmlElement | undefined): string {
  const parts: string[] = []
  const waiting: XmlNode[] = element ? [element] : []
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node === 'string') parts.push(node)
    else for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i] as XmlNode)
  }
  return parts.join('')
}
