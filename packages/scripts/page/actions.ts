// Performs actions on elements of the last inspection, and finds points where they can be clicked.
import { dispatchChange, topmost, type AnyElement } from '../../ports/page/elements.ts'
import { clean, rootOf } from './elements.ts'
import { inPage } from './frames.ts'

// Click positions as shares of width and height: the center first, then points that other elements may leave uncovered.
const shares = [0.5, 0.2, 0.8, 0.05, 0.95]
const aims = shares.flatMap((down) => shares.map((across) => [across, down] as const))

function isHitAt(element: AnyElement, x: number, y: number): boolean {
  const hit = topmost(element.ownerDocument, x, y)
  if (!hit) return false
  if (element.contains(hit) || (hit.contains(element) && hit.localName === 'label')) return true
  if ([...(element.labels ?? [])].some((label) => label.contains(hit))) return true
  return rootOf(hit) !== rootOf(element) && element.shadowRoot?.contains(hit) === true
}

/** The point where an element can be clicked, or the reason why it cannot. */
export type Aim = { readonly x: number; readonly y: number } | { readonly problem: string }

/**
 * Scrolls an element into view and returns where it can be clicked, in pixels; or the `problem`, if it is gone,
 * disabled, invisible or covered.
 */
export function aim(element: AnyElement | undefined): Aim {
  const view = element?.ownerDocument.defaultView
  if (!element?.isConnected || !view) return { problem: 'is gone' }
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  if (element.matches(':disabled')) return { problem: 'is disabled' }
  const rect = [...element.getClientRects()].find(({ width, height }) => width > 0 && height > 0)
  if (!rect) return { problem: 'cannot be seen' }
  const [left, right] = [Math.max(0, rect.left), Math.min(view.innerWidth, rect.right)]
  const [top, bottom] = [Math.max(0, rect.top), Math.min(view.innerHeight, rect.bottom)]
  for (const [across, down] of aims) {
    const [x, y] = [left + (right - left) * across, top + (bottom - top) * down]
    const point = isHitAt(element, x, y) ? inPage(element, x, y) : undefined
    if (point) return point
  }
  return { problem: 'is covered by another one' }
}

/** Focuses an element and, with `all`, selects its text. Returns `false` if the element no longer exists. */
export function focus(element: AnyElement | undefined, all: boolean): boolean {
  if (!element?.isConnected || !element.ownerDocument.defaultView) return false
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  element.focus?.()
  if (all && typeof element.select === 'function') element.select()
  else if (all) element.ownerDocument.getSelection()?.selectAllChildren(element)
  return true
}

/** Sets the value of a field and dispatches the events of a user input. Always returns true. */
export function put(element: AnyElement, value: string): boolean {
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')?.set
  element.focus?.()
  setter?.call(element, value)
  dispatchChange(element)
  return true
}

/** Why options could not be chosen. `odd` is the index of the first label that matches no option, or several. */
export interface Refusal {
  readonly problem: string
  readonly odd: number
}

/** Selects options of a list by their labels or values, and deselects all others. Returns `null` on success. */
export function choose(element: AnyElement | undefined, labels: readonly string[]): Refusal | null {
  const options = [...(element?.options ?? [])]
  const wanted = labels.map((label) => options.filter((one) => clean(one.label) === label || one.value === label))
  const odd = wanted.findIndex((some) => some.length !== 1)
  if (odd >= 0) return { problem: wanted[odd]?.length === 0 ? 'has no option' : 'has several options', odd }
  element?.focus?.()
  for (const option of options) option.selected = wanted.some(([one]) => one === option)
  if (element) dispatchChange(element)
  return null
}
