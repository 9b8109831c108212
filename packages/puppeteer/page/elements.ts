import { topmost, type AnyElement } from '../../ports/page/elements.ts'
import type { Aim, PressOutcome } from '../src/tab/page-results.ts'

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
  return { problem: 'covered', by: hit ? labelOf(hit) : '' }
}

const labelOf = (element: Element): string => element.localName + (element.id ? `#${element.id}` : '')

/** Watches one press of a mouse button or finger. */
export interface PressWatch {
  /** Stops watching and returns where the press went. */
  end(): PressOutcome
}

/**
 * Watches the next press on the page. An element may move between `aim` and the press; a press that would hit something else
 * is then hidden from the page, so that it can be repeated without a trace.
 */
export function watchPress(node: Node): PressWatch {
  const element = node.nodeType === 1 ? (node as Element) : node.parentElement
  let outcome: PressOutcome = { reached: 'unknown' }
  let place: DOMRect | undefined
  const block = (event: Event): void => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const targetOf = (event: Event): Element | undefined => event.composedPath().find((one) => one instanceof Element)
  const see = (event: Event): void => {
    const hit = event.isTrusted && element ? targetOf(event) : undefined
    if (!element || !hit) return
    if (outcome.reached === 'unknown' && /down|start/.test(event.type)) {
      outcome = isHit(hit, element) ? { reached: 'element' } : { reached: 'other', by: labelOf(hit) }
      place = element.getBoundingClientRect()
    } else if (event.type === 'click' && outcome.reached === 'element' && place && !isHit(hit, element)) {
      // Pressed on the element and released elsewhere. If the element has moved in between, this was not intended.
      const { x, y } = element.getBoundingClientRect()
      if (element.isConnected && (x !== place.x || y !== place.y)) outcome = { reached: 'other', by: labelOf(hit) }
    }
    if (outcome.reached === 'other') block(event)
  }
  const types = ['pointerdown', 'mousedown', 'touchstart', 'pointerup', 'mouseup', 'touchend', 'click']
  for (const type of types) addEventListener(type, see, { capture: true, passive: false })
  return {
    end: () => {
      for (const type of types) removeEventListener(type, see, { capture: true })
      return outcome
    },
  }
}

/** Stops watching a press and returns where it went. */
export const endPress = (watch: PressWatch): PressOutcome => watch.end()
