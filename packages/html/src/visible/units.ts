// Groups hidden elements by their kind, and measures their text.
import { wordless } from '../parse/noscript.ts'
import type { Element, Node } from '../tree/tree.ts'
import { lineOf, nextNode } from '../tree/walk.ts'
import type { HiddenReason } from './causes.ts'
import type { Inherited } from './marks.ts'

/** An element that hides text. */
export interface Unit {
  readonly element: Element
  readonly reason: HiddenReason
  /** The hidden nodes: the element itself, or text nodes in it. */
  readonly nodes: Node[]
  /** Causes inherited from ancestors. */
  readonly above: Inherited
}

/** Number of characters by which repeated text is recognised. */
const maxStart = 200

/** Returns the text of a node, without that of elements whose text browsers do not show. */
export function visibleText(node: Node): string {
  if (node.type === 'text') return node.text
  const texts: string[] = []
  for (let at = nextNode(node, node); at;) {
    const skip = at.type === 'element' && wordless.has(at.name)
    if (at.type === 'text') texts.push(at.text)
    at = nextNode(at, node, skip)
  }
  return texts.join(' ')
}

/** From this many characters, hidden prose counts as main content rather than as a note. */
const enough = 1_500
/** With fewer characters of visible prose, a page counts as empty. */
const fewest = 150

const noProse = new Set(['a', 'nav', 'header', 'footer', 'button', 'form', ...wordless])

/** Returns the number of characters outside links, menus and forms. */
export function countProse(root: Node): number {
  if (root.type === 'text') return root.text.trim().length
  let length = 0
  let node: Node | null = root
  while (node) {
    const skip = node.type === 'element' && noProse.has(node.name)
    if (node.type === 'text') length += node.text.trim().length
    node = nextNode(node, root, skip)
  }
  return length
}

function isProse(node: Node): boolean {
  if (node.type === 'element') return true
  for (let at = node.parent; at; at = at.parent) if (noProse.has(at.name)) return false
  return true
}

/**
 * Returns the hidden element with the most prose, and all others of its kind, if the page shows little else. Scripts probably
 * show them after loading, although nothing in the source indicates it. Without this rule, such pages would be empty.
 */
export function largeUnits(units: readonly Unit[], total: number): readonly Unit[] {
  const lengths = new Map<Unit, number>()
  let hidden = 0
  for (const unit of units) {
    let length = 0
    for (const node of unit.nodes) if (isProse(node)) length += countProse(node)
    hidden += length
    if (foldable.has(unit.reason)) lengths.set(unit, length)
  }
  let folded = 0
  for (const length of lengths.values()) folded += length
  const visible = total - hidden
  if (visible < fewest ? folded <= visible * 3 : folded < enough || folded * 2 < total) return []
  const [largest] = [...lengths].reduce((a, b) => (b[1] > a[1] ? b : a))
  return [...lengths.keys()].filter((unit) => unit === largest || isLike(unit, largest))
}

const isLike = (one: Unit, other: Unit): boolean => kindOf(one) === kindOf(other)

/** Identifies elements with the same tag and class that are hidden in the same way. */
export const kindOf = ({ reason, element }: Unit): string =>
  `${reason} ${element.name} ${element.attributes['class'] ?? ''}`

/** Minimum number of hidden elements of one kind from which a script is assumed to open them. */
export const fewestAlike = 3
/** Minimum number of characters of such an element. */
const fewestFolded = 20
const alikeReasons: ReadonlySet<HiddenReason> = new Set(['display', 'visibility', 'opacity', 'size'])

/** Returns the number of hidden elements with distinct text, by kind. */
export function countAlike(units: readonly Unit[]): ReadonlyMap<string, number> {
  const starts = new Map<string, Set<string>>()
  for (const unit of units) {
    if (!alikeReasons.has(unit.reason) || unit.element.attributes['class'] === undefined) continue
    const text = lineOf(unit.nodes.map(visibleText).join(' '))
    if (text.length < fewestFolded) continue
    const kind = kindOf(unit)
    const known = starts.get(kind)
    if (known) known.add(text.slice(0, maxStart))
    else starts.set(kind, new Set([text.slice(0, maxStart)]))
  }
  return new Map([...starts].map(([kind, texts]) => [kind, texts.size]))
}

/** Ways to hide content that visitors can open. */
export const foldable: ReadonlySet<HiddenReason> = new Set([
  'display',
  'visibility',
  'opacity',
  'size',
  'position',
  'dialog',
])

/** Whether the element contains only MathML. It is the source of a formula that the page shows as an image. */
export function isOnlyMath(element: Element): boolean {
  let hasMath = false
  let node = nextNode(element, element)
  while (node) {
    const isMath = node.type === 'element' && node.name === 'math'
    hasMath ||= isMath
    if (node.type === 'text' && node.text.trim() !== '') return false
    node = nextNode(node, element, isMath)
  }
  return hasMath
}
