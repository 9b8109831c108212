// Finds the elements of a page that are rows of its main list.
import { type Element, nextNode } from '@harvestman/html/internal'
import { listBounds } from './types.ts'

const unshown = new Set(['script', 'style', 'template', 'noscript', 'head', 'svg', 'select'])
const furniture = new Set(['nav', 'header', 'footer', 'aside', 'form'])
const roles = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'menu', 'menubar'])
/** Inline elements repeat too, but are not rows. */
const inline = new Set(['br', 'hr', 'wbr', 'td', 'th', 'col', 'option', 'b', 'i', 'em', 'strong', 'sup', 'sub', 'path'])
/** Text of an article repeats too. It is the list only of a page that has no other. */
const prose = new Set(['p', 'pre', 'blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const minRows = 3
/** Text beyond this length does not add to the score. Long rows are sections of a page rather than list items. */
const maxRowText = 300

interface Sizes {
  readonly elements: readonly Element[]
  readonly text: ReadonlyMap<Element, number>
  readonly outside: ReadonlySet<Element>
}

/** Returns the rows of the list with the most content, at most 20,000. Empty if nothing occurs three times. */
export function findRows(root: Element): readonly Element[] {
  const sizes = measure(root)
  let best: readonly Element[] = []
  let most = 0
  for (const parent of sizes.elements) {
    for (const rows of groupsOf(parent)) {
      const score = scoreOf(rows, sizes)
      if (score > most) [best, most] = [rows, score]
    }
  }
  return best.slice(0, listBounds.rows)
}

function measure(root: Element): Sizes {
  const elements: Element[] = [root]
  const text = new Map<Element, number>()
  const outside = new Set<Element>()
  let node = nextNode(root, root)
  while (node && elements.length < listBounds.elements) {
    const { parent } = node
    if (node.type === 'text') {
      if (parent) text.set(parent, (text.get(parent) ?? 0) + node.text.trim().length)
      node = nextNode(node, root)
      continue
    }
    const isUnshown = unshown.has(node.name)
    if (!isUnshown) elements.push(node)
    if (isFurniture(node) || (parent && outside.has(parent))) outside.add(node)
    node = nextNode(node, root, isUnshown)
  }
  for (const element of elements.toReversed()) {
    const { parent } = element
    if (parent && element !== root) text.set(parent, (text.get(parent) ?? 0) + (text.get(element) ?? 0))
  }
  return { elements, text, outside }
}

/** Returns whether an element is navigation, header, footer or similar, rather than content. */
export function isFurniture({ name, attributes }: Element): boolean {
  return furniture.has(name) || roles.has(attributes['role'] ?? '')
}

/** Groups children by tag name and, if most share one, by class. */
function groupsOf(parent: Element): readonly (readonly Element[])[] {
  const byName = new Map<string, Element[]>()
  for (let child = parent.first; child; child = child.next) {
    if (child.type !== 'element' || unshown.has(child.name) || inline.has(child.name)) continue
    const group = byName.get(child.name)
    if (group) group.push(child)
    else byName.set(child.name, [child])
  }
  return [...byName.values()].map(alike).filter((group) => group.length >= minRows)
}

/** Returns the elements that share a class or else a child tag; none if they are too different. */
function alike(group: readonly Element[]): readonly Element[] {
  if (group.length < minRows) return group
  return sharing(group, classesOf) ?? sharing(group, partsOf) ?? (group.some(({ first }) => first?.next) ? [] : group)
}

type Keys = (element: Element) => ReadonlySet<string>

function sharing(group: readonly Element[], keysOf: Keys): readonly Element[] | undefined {
  const counts = new Map<string, number>()
  for (const element of group) for (const key of keysOf(element)) counts.set(key, (counts.get(key) ?? 0) + 1)
  const [key, count] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one), ['', 0])
  const isShared = count >= minRows && count * 2 >= group.length
  return isShared ? group.filter((row) => keysOf(row).has(key)) : undefined
}

const maxKeys = 8

function classesOf({ attributes }: Element): ReadonlySet<string> {
  return new Set((attributes['class'] ?? '').split(/\s+/, maxKeys).filter(Boolean))
}

function partsOf(element: Element): ReadonlySet<string> {
  const names = new Set<string>()
  for (let child = element.first; child && names.size < maxKeys; child = child.next)
    if (child.type === 'element') names.add(child.name)
  return names
}

function scoreOf(rows: readonly Element[], { text, outside }: Sizes): number {
  const content = rows.reduce((sum, row) => sum + Math.min(text.get(row) ?? 0, maxRowText), 0)
  const parts = rows.reduce((sum, row) => sum + Number(row.first?.type === 'element' || row.first?.next != null), 0)
  const [first] = rows as [Element]
  return content * (0.3 + parts / rows.length) * (outside.has(first) ? 0.005 : 1) * (prose.has(first.name) ? 0.05 : 1)
}
