// Lists in HTML fragments: siblings with the same tag and class, and the texts in them.
import {
  compileSelector,
  elementsOf,
  isProblem,
  lineOf,
  parseHtml,
  selectAll,
  textOf,
  type Element,
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
    .flatMap((siblings) => [...siblings])
    .toSorted(([, one], [, other]) => other.length - one.length)
  if (!best || best[1].length < minItems) return undefined
  const [selector, elements] = best
  return { in: 'html', selector, fields: fieldsOf(elements[0]!) }
}

/** Reads the items of a fragment, at most 1,000. */
export function readFragment(html: string, { selector, fields }: FragmentSource): readonly Item[] {
  return select(parseHtml(html).root, selector)
    .slice(0, limits.items)
    .map((element) => {
      const texts = Object.entries(fields).flatMap(([field, { selector: inner }]) => {
        const [first] = select(element, inner)
        return first ? [[field, lineOf(textOf(first))]] : []
      })
      const link = [element, ...elementsOf(element)].find((one) => one.name === 'a' && one.attributes['href'])
      const text = texts.length === 0 ? { text: lineOf(textOf(element)) } : {}
      return { ...text, ...Object.fromEntries(texts), ...(link && { link: link.attributes['href'] ?? '' }) }
    })
}

function fieldsOf(element: Element): FragmentSource['fields'] {
  const fields: Record<string, { selector: string }> = {}
  for (const inner of elementsOf(element)) {
    const selector = selectorOf(inner)
    const isLeaf = !elementsOf(inner).some(({ name }) => name !== 'br') && lineOf(textOf(inner)) !== ''
    const field = classOf(inner) ?? inner.name
    if (!isLeaf || selector === undefined || Object.hasOwn(fields, field) || Object.keys(fields).length >= maxFields)
      continue
    fields[field] = { selector }
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

function select(root: Element, text: string): readonly Element[] {
  const selector = compileSelector(text)
  if (isProblem(selector)) return []
  const found = selectAll(selector, root)
  return isProblem(found) ? [] : found
}
