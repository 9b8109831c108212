// Changes a page as its site might within a year, to test whether extraction rules still work.
import {
  defaultTreeAdapter as adapter,
  html as names,
  parse,
  serialize,
  type DefaultTreeAdapterTypes as Types,
} from 'parse5'

import { chance } from '../living/chance.ts'

/** A kind of change to a page. */
export type Drift = 'classes' | 'wrappers' | 'order' | 'missing' | 'decoys' | 'layout' | 'labels'

/** All kinds of change. */
export const drifts: readonly Drift[] = ['classes', 'wrappers', 'order', 'missing', 'decoys', 'layout', 'labels']

/** Options for changing a page. */
export interface DriftOptions {
  readonly kinds: readonly Drift[]
  /** The same seed changes the same page in the same way. */
  readonly seed: number
  /** Strings that `missing` removes and that `decoys` imitates. */
  readonly values?: readonly string[]
}

type Random = () => number
type Change = (document: Types.Document, random: Random, values: readonly string[]) => void

/**
 * Returns the page after some kinds of change. Its text is unchanged, except by `missing`, `decoys` and `labels`, by `layout`,
 * which adds a bar, and by `order`, which moves blocks. The same seed makes the same changes.
 */
export function drifted(html: string, { kinds, seed, values = [] }: DriftOptions): string {
  const document = parse(html)
  const random = chance(seed)
  for (const kind of kinds) changes[kind](document, random, values)
  return serialize(document)
}

/** Returns the page without machine-readable data: JSON-LD, `<meta>`, microdata and RDFa. */
export function withoutMarkup(html: string): string {
  const document = parse(html)
  for (const element of elementsOf(document)) {
    const { tagName, attrs } = element
    const isData = tagName === 'script' && attrs.some(({ value }) => /ld\+json/i.test(value))
    if (isData || tagName === 'meta') adapter.detachNode(element)
    element.attrs = attrs.filter(
      ({ name }) => !/^(?:item(?:prop|scope|type|id|ref)|property|typeof|vocab|resource)$/.test(name),
    )
  }
  return serialize(document)
}

const changes: Readonly<Record<Drift, Change>> = {
  classes: renameClasses,
  wrappers: addWrappers,
  order: changeOrder,
  missing: takeAway,
  decoys: addDecoys,
  layout: changeLayout,
  labels: translateLabels,
}

/** Renames half of the classes and ids, each consistently in the page. */
function renameClasses(document: Types.Document, random: Random): void {
  const renamed = new Map<string, string>()
  const nameOf = (token: string): string => {
    const known = renamed.get(token) ?? (random() < 0.5 ? `x${Math.floor(random() * 1e6).toString(36)}` : token)
    renamed.set(token, known)
    return known
  }
  for (const element of elementsOf(document)) {
    for (const attribute of element.attrs) {
      if (attribute.name === 'class' || attribute.name === 'id')
        attribute.value = attribute.value.split(/\s+/).map(nameOf).join(' ')
    }
  }
}

function addWrappers(document: Types.Document, random: Random): void {
  for (const element of bodyElements(document)) {
    if (!/^(?:div|section|article|h1|p|ul)$/.test(element.tagName) || random() > 0.2) continue
    const { parentNode } = element
    if (!parentNode) continue
    const wrapper = adapter.createElement('div', names.NS.HTML, [{ name: 'class', value: 'wrap' }])
    adapter.insertBefore(parentNode, wrapper, element)
    adapter.detachNode(element)
    adapter.appendChild(wrapper, element)
  }
}

/** Changes the order of neighbouring blocks. */
function changeOrder(document: Types.Document, random: Random): void {
  for (const parent of bodyElements(document)) {
    const blocks = childElements(parent).filter(({ tagName }) => /^(?:div|section|aside|header|ul)$/.test(tagName))
    if (blocks.length < 2 || blocks.length > 8 || random() > 0.15) continue
    const [first] = blocks
    adapter.detachNode(first!)
    adapter.appendChild(parent, first!)
  }
}

/** Removes every element whose text is one of the values, chosen at random. */
function takeAway(document: Types.Document, random: Random, values: readonly string[]): void {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) return
  const wanted = plain(value)
  for (const element of bodyElements(document)) {
    const text = plain(textOf(element))
    if (text.includes(wanted) && text.length <= wanted.length + 30) adapter.detachNode(element)
  }
}

/** Adds copies of the elements that contain a value, with changed text, as blocks of related pages have them. */
function addDecoys(document: Types.Document, random: Random, values: readonly string[]): void {
  const wanted = new Set(values.map(plain))
  const holders = bodyElements(document).filter((element) => wanted.has(plain(textOf(element))))
  const [place] = bodyElements(document)
  if (!place) return
  const aside = adapter.createElement('aside', names.NS.HTML, [])
  for (const holder of holders.slice(0, 12)) {
    if (holder.tagName === 'h1') continue
    const copy = copyOf(holder)
    replaceText(copy, random)
    adapter.appendChild(aside, copy)
  }
  const first = place.childNodes[0]
  if (random() < 0.5 && first) adapter.insertBefore(place, aside, first)
  else adapter.appendChild(place, aside)
}

/** Imitates the other variant of an A/B test: other tags for the same blocks, and an additional bar. */
function changeLayout(document: Types.Document, random: Random): void {
  for (const element of bodyElements(document)) {
    const { tagName } = element
    const other = tagName === 'div' ? 'section' : tagName === 'span' ? 'em' : undefined
    if (other !== undefined && random() < 0.3) {
      element.tagName = other
      element.nodeName = other
    }
  }
  const [body] = bodyElements(document)
  const bar = adapter.createElement('div', names.NS.HTML, [{ name: 'class', value: 'bar' }])
  adapter.insertText(bar, 'Try the new version')
  if (body?.childNodes[0]) adapter.insertBefore(body, bar, body.childNodes[0])
}

const translations: Readonly<Record<string, string>> = {
  by: 'von',
  author: 'Autor',
  published: 'Veröffentlicht',
  updated: 'Aktualisiert',
  price: 'Preis',
  brand: 'Marke',
  'written by': 'Geschrieben von',
  posted: 'Verfasst',
  on: 'am',
}

/** Translates words used as labels: a full text node, or its beginning. */
function translateLabels(document: Types.Document): void {
  for (const element of bodyElements(document)) {
    for (const child of element.childNodes) {
      if (!adapter.isTextNode(child)) continue
      child.value = child.value.replace(/^(\s*)([A-Za-z]+(?: by)?)(?=\s|:|$)/, (whole, space: string, word: string) => {
        const other = translations[word.toLowerCase()]
        return other === undefined || child.value.trim().length > 60 ? whole : space + other
      })
    }
  }
}

function copyOf(element: Types.Element): Types.Element {
  const copy = adapter.createElement(
    element.tagName,
    names.NS.HTML,
    element.attrs.map((one) => ({ ...one })),
  )
  for (const child of element.childNodes) {
    if (adapter.isTextNode(child)) adapter.insertText(copy, child.value)
    else if (adapter.isElementNode(child)) adapter.appendChild(copy, copyOf(child))
  }
  return copy
}

/** Replaces each letter with another letter and each digit with another digit. */
function replaceText(element: Types.Element, random: Random): void {
  const shift = 1 + Math.floor(random() * 8)
  const other = (text: string): string =>
    text
      .replaceAll(/[a-z]/g, (one) => String.fromCodePoint(97 + ((one.codePointAt(0)! - 97 + shift) % 26)))
      .replaceAll(/[1-9]/g, (one) => String(1 + ((Number(one) - 1 + shift) % 9)))
  for (const attribute of element.attrs) {
    if (/^(?:href|title|datetime|content|alt|aria-label)$/.test(attribute.name))
      attribute.value = other(attribute.value)
  }
  for (const child of element.childNodes) {
    if (adapter.isTextNode(child)) child.value = other(child.value)
    else if (adapter.isElementNode(child)) replaceText(child, random)
  }
}

function elementsOf(node: Types.ParentNode): Types.Element[] {
  const found: Types.Element[] = []
  const open: Types.ParentNode[] = [node]
  for (let next = open.pop(); next; next = open.pop()) {
    const inner = childElements(next)
    if (next !== node) found.push(next as Types.Element)
    open.push(...inner.toReversed())
  }
  return found
}

function bodyElements(document: Types.Document): Types.Element[] {
  const body = elementsOf(document).find(({ tagName }) => tagName === 'body')
  return body ? [body, ...elementsOf(body)] : []
}

function childElements(node: Types.ParentNode): Types.Element[] {
  return node.childNodes.filter((child) => adapter.isElementNode(child))
}

function textOf(node: Types.ParentNode): string {
  return node.childNodes
    .map((child) => (adapter.isTextNode(child) ? child.value : adapter.isElementNode(child) ? textOf(child) : ''))
    .join(' ')
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
