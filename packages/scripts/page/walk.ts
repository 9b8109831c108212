// Traverses the elements of the page, including open shadow roots and same-origin frames.
import type { AnyElement } from '../../ports/page/elements.ts'
import { pageLimits } from '../src/page/limits.ts'
import { actable, hostOf, ownText } from './elements.ts'
import { documentIn, firstOf, isFrame, isVisible } from './frames.ts'

const skipped = /^(?:script|style|template|head|noscript)$/

/**
 * Calls `take` with each element in the order of the page. Returns `false` if the page has too many nodes. Then the
 * rest is skipped. Includes open shadow roots and same-origin frames.
 */
export function walk(take: (element: AnyElement) => void): boolean {
  // A document that has just begun to load has no root element yet.
  const open: Element[] = [document.documentElement].filter(Boolean)
  let count = 0
  for (let element = open.pop(); element; element = open.pop()) {
    if ((count += 1) > pageLimits.nodes) return false
    if (skipped.test(element.localName)) continue
    if (isFrame(element)) {
      const inner = documentIn(element)?.documentElement
      if (inner) open.push(inner)
      continue
    }
    take(element)
    for (const child of [...element.children].reverse()) open.push(child)
    for (const child of [...(element.shadowRoot?.children ?? [])].reverse()) open.push(child)
  }
  return true
}

const isLeaf = (element: Element): boolean =>
  ownText(element) !== '' || ![...element.children].slice(0, 20).some(isVisible)

// Elements whose content is part of them: only controls inside them are targets of their own.
const holders = 'a, button, summary, [role=button], [role=link], [role=tab], [role=menuitem], [role=option]'

/** Returns whether an element can be the target of a user action. */
export function isTarget(element: AnyElement): boolean {
  if (element.matches(actable)) return true
  if (element.localName === 'label' && element.control) return false
  if (/^(?:html|body|br|hr|option|optgroup)$/.test(element.localName)) return false
  return !element.parentElement?.closest(holders) && isLeaf(element)
}

/** Returns the target of a user action: the interactive element around the event's target, else the target itself. */
export function targetOf(event: Event): AnyElement | undefined {
  const [first] = event.composedPath()
  const element = firstOf(event) ?? (first && 'parentElement' in first ? (first as Node).parentElement : undefined)
  let up: Element | undefined = element ?? undefined
  for (let steps = 0; up && steps < 10; steps += 1) {
    if (up.matches(actable)) return up
    up = up.parentElement ?? hostOf(up)
  }
  return element ?? undefined
}
