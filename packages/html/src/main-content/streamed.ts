// Pages streamed by React have late parts in hidden elements (`<div hidden id="S:1">`) and small scripts that move them
// to a placeholder (`$RC("B:0","S:1")`). Browsers show these parts, so this module moves them too.
import { append, detach, insertBefore, makeElement, type Element, type Node } from '../tree/tree.ts'
import { nextNode } from '../tree/walk.ts'

/** Returns whether the source may contain late parts. A cheap check before the tree is searched. */
export const mayBeStreamed = (source: string): boolean =>
  source.includes('S:') && /\sid="[^"]{0,40}S:[0-9a-f]+"/.test(source)

const call = /\$R[CRS]\("([^"]{1,60})","([^"]{1,60})"/g
const part = /S:[0-9a-f]+$/
const place = /[BP]:[0-9a-f]+$/

/** Moves each late part to its placeholder, or unhides it if there is none. Changes the tree. */
export function placeStreamedParts(root: Element): void {
  const parts = new Map<string, Element>()
  const places = new Map<string, Element>()
  const moves = new Map<string, string>()
  for (let node: Node | null = root; node; node = nextNode(node, root)) {
    if (node.type === 'text') continue
    const { id, hidden } = node.attributes
    if (node.name === 'script') readCalls(node, moves)
    else if (id === undefined) continue
    else if (hidden !== undefined && part.test(id)) parts.set(id, node)
    else if (node.name === 'template' && place.test(id)) places.set(id, node)
  }
  for (const [id, late] of parts) show(late, places.get(moves.get(id) ?? id.replace(part, (own) => `B${own.slice(1)}`)))
}

function readCalls(script: Element, moves: Map<string, string>): void {
  if (script.first?.type !== 'text' || !script.first.text.includes('$R')) return
  for (const [, one = '', other = ''] of script.first.text.matchAll(call)) {
    if (part.test(one)) moves.set(one, other)
    else moves.set(other, one)
  }
}

function show(late: Element, target: Element | undefined): void {
  const anchor = target && !isInside(target, late) ? target : late
  if (!anchor.parent) return
  const shown = makeElement('div', withoutHidden(late.attributes))
  while (late.first) {
    const child = late.first
    detach(child)
    append(shown, child)
  }
  insertBefore(anchor, shown)
  detach(anchor)
  if (anchor !== late) detach(late)
}

function isInside(element: Element, outer: Element): boolean {
  for (let at: Element | null = element; at; at = at.parent) if (at === outer) return true
  return false
}

function withoutHidden(attributes: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== 'hidden'))
}
