import { topmost, type AnyElement } from '../../ports/page/elements.ts'
import type { Aim } from '../src/tab/page-results.ts'

/** Returns the elements that match in the document and its open shadow roots, at most `most`, in document order. */
export function findMatches(selector: string, most: number): Element[] {
  const found: Element[] = []
  const look = (root: ParentNode): void => {
    for (const element of root.querySelectorAll(selector)) if (found.length < most) found.push(element)
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot && found.length < most) look(shadowRoot)
  }
  const direct = document.querySelector(selector)
  if (direct && most === 1) return [direct]
  look(document)
  return found
}

/** Returns 1 if something matches in the document or its open shadow roots, otherwise 0. */
export const countMatches = (selector: string): number => findMatches(selector, 1).length

function isWithin(inner: Node, outer: Node): boolean {
  for (let node: Node | null | undefined = inner; node; node = node.parentNode ?? hostOf(node))
    if (node === outer) return true
  return false
}

const hostOf = (node: Node): Element | undefined => (node instanceof ShadowRoot ? node.host : undefined)

function isHit(hit: Element, element: AnyElement): boolean {
  if (isWithin(hit, element) || (isWithin(element, hit) && hit.localName === 'label')) return true
  const label = element.closest('label') ?? element.labels?.[0]
  return label !== undefined && isWithin(hit, label)
}

/** Scrolls an element into view. Returns where to click it, or why it cannot be clicked. */
export function aim(node: Node): Aim {
  if (!node.isConnected) return { problem: 'gone' }
  const element = node.nodeType === 1 ? (node as Element) : node.parentElement
  if (!element) throw new Error('The node is in no element.')
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  const style = getComputedStyle(element)
  const rect = [...element.getClientRects()].find(({ width, height }) => width > 0 && height > 0)
  const isVisible = style.visibility === 'visible' && element.checkVisibility({ opacityProperty: false })
  if (!rect || !isVisible) return { problem: 'hidden' }
  if (element.matches(':disabled') || element.closest('[inert]')) return { problem: 'disabled' }
  if (style.pointerEvents === 'none') return { problem: 'covered' }
  const [left, right] = [Math.max(0, rect.left), Math.min(innerWidth, rect.right)]
  const [top, bottom] = [Math.max(0, rect.top), Math.min(innerHeight, rect.bottom)]
  if (right - left <= 0 || bottom - top <= 0) return { problem: 'outside' }
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  const hit = topmost(document, x, y)
  if (hit && isHit(hit, element)) return { x, y }
  return { problem: 'covered', by: hit ? hit.localName + (hit.id ? `#${hit.id}` : '') : '' }
}
