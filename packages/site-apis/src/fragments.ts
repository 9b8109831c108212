// Lists in HTML fragments: siblings with the same tag and class, and the strings in them.
import {
  compileSelector,
  elementsOf,
  isProblem,
  lineOf,
  parseHtml,
  selectAll,
  textOf,
  type Element,
  type Selector,
} from '@harvestman/html/internal'

import { limits, type Item, type ItemSource } from './recipe.ts'

type FragmentSource = Extract<ItemSource, { readonly in: 'html' }>

const minItems = 2
const maxFields = 30
const name = /^[a-z][\w-]{0,60}$/i

/** Finds the largest group of siblings with the same tag and class that contain text. `undefined` if there is none. */
export function fragmentSource(html: string): FragmentSource | undefined {
  const groups = new Map<Element | null, Map<string, Element[]>>()
  for (const element of elementsOf(parseHtml(html).root)) {
    const selector = selectorOf(element)
    if (selector === undefined || lineOf(textOf(element)) === '') continue
    const siblings = groups.get(element.parent) ?? new Map<string, Element[]>()
    groups.set(element.parent, siblings)
    const group = siblings.get(selector)
    if (group) group.push(element)
    else siblings.set(selector, [element])
  }
  // Groups are in document order, so that of equal ones the outermost wins.
  const [best] = [...groups.values()]
    .flatMap((siblings) => [...siblings.values()])
    .toSorted((one, other) => other.length - one.length)
  const [first] = best ?? []
  if (!best || !first || best.length < minItems) return undefined
  const selector = pathOf(first)
  return selector === undefined ? undefined : { in: 'html', selector, fields: fieldsOf(first, selector) }
}

/** Reads the items of a fragment, at most 1,000. */
export function readFragment(html: string, { selector, fields }: FragmentSource): readonly Item[] {
  const own = compiled(selector)
  if (!own) return []
  const inner = Object.entries(fields).map(([field, one]) => [field, compiled(one.selector)] as const)
  return select(parseHtml(html).root, own)
    .slice(0, limits.items)
    .map((element) => {
      const texts = inner.flatMap(([field, one]) => {
        const [first] = one ? select(element, one) : []
        return first ? [[field, lineOf(textOf(first))]] : []
      })
      const link = [element, ...elementsOf(element)].find((one) => one.name === 'a' && one.attributes['href'])
      const text = texts.length === 0 ? { text: lineOf(textOf(element)) } : {}
      return { ...text, ...Object.fromEntries(texts), ...(link && { link: link.attributes['href'] ?? '' }) }
    })
}

function fieldsOf(element: Element, path: string): FragmentSource['fields'] {
  const fields: Record<string, { selector: string }> = {}
  const counts = new Map<string, number>()
  for (const inner of elementsOf(element)) {
    const isLeaf = !elementsOf(inner).some((one) => one.name !== 'br') && lineOf(textOf(inner)) !== ''
    const selector = isLeaf ? selectorOf(inner) : undefined
    if (selector === undefined || Object.keys(fields).length >= maxFields) continue
    const own = classOf(inner)
    const count = (counts.get(own ?? inner.name) ?? 0) + 1
    counts.set(own ?? inner.name, count)
    // Elements without a class are distinguished by their position.
    if (own !== undefined && count > 1) continue
    const field = own ?? (count === 1 ? inner.name : `${inner.name}${count}`)
    if (Object.hasOwn(fields, field)) continue
    const found = compiled(selector)
    const isFirst = found !== undefined && select(element, found)[0] === inner
    fields[field] = { selector: isFirst ? selector : placeOf(inner, element, path) }
  }
  return fields
}

const classOf = (element: Element): string | undefined =>
  (element.attributes['class'] ?? '').split(/\s+/).find((one) => name.test(one))

const omitted = new Set(['html', 'head', 'body', 'script', 'style', 'br', 'option'])

function selectorOf(element: Element): string | undefined {
  if (omitted.has(element.name) || !name.test(element.name)) return undefined
  const own = classOf(element)
  return own === undefined ? element.name : `${element.name}.${own}`
}

// Deeper elements are found by these ancestors alone.
const maxAncestors = 20

/** Returns a selector with the ancestors, so that elements inside of an item are not items. Only the parent has a class. */
function pathOf(element: Element): string | undefined {
  const path = [selectorOf(element)]
  for (let at = element.parent; at && path.length <= maxAncestors; at = at.parent) {
    if (!name.test(at.name)) break
    path.unshift(path.length === 1 ? (selectorOf(at) ?? at.name) : at.name)
  }
  return path.includes(undefined) ? undefined : path.join(' > ')
}

/** Returns a selector for one element in an item, by its position and that of its ancestors. */
function placeOf(inner: Element, item: Element, itemPath: string): string {
  const path: string[] = []
  for (let at: Element | null = inner; at && at !== item; at = at.parent)
    path.unshift(`${at.name}:nth-of-type(${positionOf(at)})`)
  return [itemPath, ...path].join(' > ')
}

function positionOf(element: Element): number {
  let position = 1
  for (let at = element.previous; at; at = at.previous)
    if (at.type === 'element' && at.name === element.name) position += 1
  return position
}

function compiled(text: string): Selector | undefined {
  const selector = compileSelector(text)
  return isProblem(selector) ? undefined : selector
}

function select(root: Element, selector: Selector): readonly Element[] {
  const found = selectAll(selector, root)
  return isProblem(found) ? [] : found
}
