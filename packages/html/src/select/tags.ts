import { compilePattern, isPattern } from './tag-pattern.ts'
import { compileSelector, isProblem, selectAll } from './select.ts'
import { append, makeElement, type Element, type Node } from '../tree/tree.ts'
import { cloneTree, elementsOf } from '../tree/walk.ts'

export interface TagChoice {
  readonly includeTags: readonly string[]
  readonly excludeTags: readonly string[]
}

type Warn = (problem: string) => void

/**
 * Returns the requested part of the page: the page itself without `includeTags` and if nothing is excluded, or else a copy,
 * which is empty if nothing matches `includeTags`. Invalid entries are skipped with a warning.
 */
export function chooseTags(root: Element, { includeTags, excludeTags }: TagChoice, warn: Warn): Element {
  const included = includeTags.length === 0 ? root : collect(root, includeTags, warn)
  if (excludeTags.length === 0) return included
  const excluded = findExcluded(included, excludeTags, warn)
  return excluded.size === 0 ? included : cloneTree(included, excluded)
}

// In the order of `includeTags`, then page order. An element inside another selected one is not repeated, regardless of
// their order.
function collect(root: Element, includeTags: readonly string[], warn: Warn): Element {
  const chosen = new Set<Element>()
  for (const entry of includeTags) for (const element of find(root, entry, warn)) chosen.add(element)
  if (chosen.size === 0) warn('Nothing on the page matches includeTags, so there is no content.')
  const copy = makeElement('#document')
  for (const element of chosen) if (!isInside(element, chosen)) append(copy, cloneTree(element))
  return copy
}

function isInside(element: Element, chosen: ReadonlySet<Element>): boolean {
  for (let at = element.parent; at; at = at.parent) if (chosen.has(at)) return true
  return false
}

function findExcluded(root: Element, excludeTags: readonly string[], warn: Warn): Set<Node> {
  const excluded = new Set<Node>()
  for (const entry of excludeTags) {
    const found = isPattern(entry) ? elementsOf(root).filter(compilePattern(entry)) : find(root, entry, warn)
    for (const element of found) excluded.add(element)
  }
  return excluded
}

function find(root: Element, entry: string, warn: Warn): readonly Element[] {
  const selector = compileSelector(entry)
  const found = isProblem(selector) ? selector : selectAll(selector, root)
  if (!isProblem(found)) return found
  warn(found.problem)
  return []
}
