import { hasAttributes, type Element } from '../tree/tree.ts'
import { resolveUrl, type Base } from '../addresses/urls.ts'
import { lineOf, nextNode, textOf } from '../tree/walk.ts'
import { shorten, type DataBuilder } from './builder.ts'
import { propertyName, typeName } from './vocabulary.ts'

/** The attribute names of microdata or RDFa, which share one structure. */
interface Notation {
  readonly method: 'microdata' | 'rdfa'
  /** The attribute of elements that are an item. */
  readonly scope: string
  readonly types: string
  readonly property: string
  readonly id: string
}

const notations: readonly Notation[] = [
  {
    method: 'microdata',
    scope: 'itemscope',
    types: 'itemtype',
    property: 'itemprop',
    id: 'itemid',
  },
  {
    method: 'rdfa',
    scope: 'typeof',
    types: 'typeof',
    property: 'property',
    id: 'resource',
  },
]

/**
 * Adds microdata and RDFa items to the builder. Elements must be in document order, so that an item precedes its
 * properties.
 */
export function collectAnnotations(elements: readonly Element[], base: Base, builder: DataBuilder): void {
  for (const notation of notations) collectItems(elements, notation, base, builder)
}

function collectItems(elements: readonly Element[], notation: Notation, base: Base, builder: DataBuilder): void {
  const scopes = new Map<Element, number>()
  for (const element of elements) {
    if (!hasAttributes(element)) continue
    const isScope = element.attributes[notation.scope] !== undefined
    if (!isScope && scopes.size === 0) continue
    const names = element.attributes[notation.property]
    if (!isScope && names === undefined) continue
    const owner = ownerOf(element, scopes)
    const item = isScope ? openScope(element, notation, builder) : undefined
    if (item !== undefined) scopes.set(element, item)
    if (owner === undefined || names === undefined) continue
    const source = builder.sourceOf(element, notation.method)
    if (source === undefined) return
    for (const name of names.split(/\s+/)) {
      if (name === '') continue
      if (item !== undefined) builder.addEntry(owner, propertyName(name), { item })
      else {
        const value = valueOf(element, base)
        if (value !== '') builder.addEntry(owner, propertyName(name), { value: shorten(value), source })
      }
    }
  }
}

function openScope(element: Element, { method, types, id }: Notation, builder: DataBuilder): number | undefined {
  const source = builder.sourceOf(element, method)
  if (source === undefined) return undefined
  const names = (element.attributes[types] ?? '').split(/\s+/).filter(Boolean).map(typeName)
  return builder.addItem(names, source, element.attributes[id])
}

function ownerOf(element: Element, scopes: ReadonlyMap<Element, number>): number | undefined {
  for (let at = element.parent; at; at = at.parent) {
    const item = scopes.get(at)
    if (item !== undefined) return item
  }
  return undefined
}

const links: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'href',
    area: 'href',
    link: 'href',
    img: 'src',
    audio: 'src',
    video: 'src',
    source: 'src',
    iframe: 'src',
    embed: 'src',
    object: 'data',
  }),
)

/**
 * Returns the value of a marked element by the standard, except that `content` works on any element, as in search
 * engines.
 */
function valueOf(element: Element, base: Base): string {
  const { name, attributes } = element
  if (attributes['content'] !== undefined) return attributes['content']
  const link = links.get(name)
  if (link !== undefined) {
    const href = attributes[link] ?? (name === 'img' ? attributes['data-src'] : undefined)
    return href === undefined ? '' : (resolveUrl(href, base) ?? href)
  }
  if (name === 'data' || name === 'meter') return attributes['value'] ?? ''
  if (name === 'time' && attributes['datetime']) return attributes['datetime']
  return wordsOf(element)
}

const silent = new Set(['script', 'style', 'template', 'noscript', 'svg'])
const apart = new Set('br p div li ul ol tr td th dt dd dl h1 h2 h3 h4 h5 h6 section article table'.split(' '))

/** Returns an element's text on one line, without `script`, `style`, `template`, `noscript` and `svg` in it. */
export function wordsOf(element: Element): string {
  if (element.first === element.last && element.first?.type === 'text') return lineOf(textOf(element))
  const parts: string[] = []
  for (let node = nextNode(element, element); node;) {
    const isSilent = node.type === 'element' && silent.has(node.name)
    if (node.type === 'text') parts.push(node.text)
    else if (apart.has(node.name)) parts.push(' ')
    const next = nextNode(node, element, isSilent)
    if (node.type === 'text' && node.next === null && node.parent && apart.has(node.parent.name)) parts.push(' ')
    node = next
  }
  return lineOf(parts.join(''))
}
