/** Maximum number of elements to read per selector. */
const maxElements = 4_000

/** A visible element with its computed style and its bounding box. */
export interface Shown {
  readonly element: Element
  readonly style: CSSStyleDeclaration
  readonly box: DOMRect
}

/** Returns the visible elements that match a selector, in document order. */
export function shownElements(selector: string, root: ParentNode = document): Shown[] {
  const found: Shown[] = []
  for (const element of [...root.querySelectorAll(selector)].slice(0, maxElements)) {
    const box = element.getBoundingClientRect()
    const style = getComputedStyle(element)
    if (box.width < 1 || box.height < 1 || style.visibility === 'hidden' || style.opacity === '0') continue
    found.push({ element, style, box })
  }
  return found
}

/** Returns the number of characters directly in an element, without its child elements. */
export function ownText(element: Element): number {
  let length = 0
  for (const node of element.childNodes) if (node.nodeType === 3) length += (node.textContent ?? '').trim().length
  return length
}

/** Parses a CSS length such as `12px`. Returns `undefined` for other units and keywords. */
export function pixels(text: string): number | undefined {
  const value = /^(-?[\d.]+)px$/.exec(text)?.[1]
  return value === undefined ? undefined : Number(value)
}
