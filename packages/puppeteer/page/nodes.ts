// Properties of nodes, read from the prototypes. A field of a form replaces the form's own property of the same name, also here.

/** Returns a function that reads a property as the prototype defines it. */
function getter<T, K extends keyof T>(prototype: T, name: K): (object: T) => T[K] {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name) ?? {}
  if (!get) throw new Error(`There is no property ${String(name)}.`)
  return (object) => Reflect.apply(get, object, []) as T[K]
}

export const firstNodeOf = getter<Node, 'firstChild'>(Node.prototype, 'firstChild')
export const nextNodeOf = getter<Node, 'nextSibling'>(Node.prototype, 'nextSibling')
export const parentNodeOf = getter<Node, 'parentNode'>(Node.prototype, 'parentNode')
export const nodeTypeOf = getter<Node, 'nodeType'>(Node.prototype, 'nodeType')
export const textOf = getter<Node, 'textContent'>(Node.prototype, 'textContent')
export const nameOf = getter<Element, 'localName'>(Element.prototype, 'localName')
export const firstElementOf = getter<Element, 'firstElementChild'>(Element.prototype, 'firstElementChild')
export const nextElementOf = getter<Element, 'nextElementSibling'>(Element.prototype, 'nextElementSibling')
export const slotOf = getter<Element, 'assignedSlot'>(Element.prototype, 'assignedSlot')
export const shadowOf = getter<Element, 'shadowRoot'>(Element.prototype, 'shadowRoot')

export function childrenOf(parent: Node): Node[] {
  const found: Node[] = []
  for (let child = firstNodeOf(parent); child; child = nextNodeOf(child)) found.push(child)
  return found
}

export const setAttributeOf = (element: Element, name: string, value: string): void =>
  Element.prototype.setAttribute.call(element, name, value)

export const boxOf = (element: Element): DOMRect => Element.prototype.getBoundingClientRect.call(element)

export const isMatch = (element: Element, selector: string): boolean =>
  Element.prototype.matches.call(element, selector)

export const findIn = (element: Element, selector: string): Element | null =>
  Element.prototype.querySelector.call(element, selector)

export const attributeOf = (element: Element, name: string): string | null =>
  Element.prototype.getAttribute.call(element, name)
