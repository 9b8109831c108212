import { parseSrcset, largestCandidate } from './srcset.ts'
import type { Element } from '../tree/tree.ts'
import { resolveUrl, type Base } from './urls.ts'

type Attributes = Readonly<Record<string, string>>

// URL attributes by element name.
const urlAttributes: ReadonlyMap<string, readonly string[]> = new Map([
  ['a', ['href', 'xlink:href']],
  ['area', ['href']],
  ['link', ['href']],
  ['img', ['src', 'longdesc']],
  ['source', ['src']],
  ['iframe', ['src']],
  ['frame', ['src']],
  ['embed', ['src']],
  ['object', ['data']],
  ['video', ['src', 'poster']],
  ['audio', ['src']],
  ['track', ['src']],
  ['form', ['action']],
  ['button', ['formaction']],
  ['input', ['src', 'formaction']],
  ['image', ['href', 'xlink:href']],
  ['blockquote', ['cite']],
  ['q', ['cite']],
  ['ins', ['cite']],
  ['del', ['cite']],
])

// Attributes in which lazy loaders store the real URL until a script runs.
const lazySources = [
  'data-src',
  'data-original',
  'data-lazy-src',
  'data-lazy',
  'data-actualsrc',
  'data-hi-res-src',
  'data-url',
]
const lazySets = ['data-srcset', 'data-lazy-srcset']
const placeholder = /^(?:data:|about:|#|$)/i

/**
 * Returns the attributes of an element with absolute URLs, or the same object if it has none to change. Links to fragments
 * (`#…`) and invalid URLs are unchanged; the `src` of an image becomes its largest candidate.
 */
export function absoluteAttributes(element: Element, base: Base): Attributes {
  const { name, attributes } = element
  const names = urlAttributes.get(name)
  if (!names) return attributes
  const changed = new Map<string, string>()
  for (const attribute of names) {
    const value = attributes[attribute]
    if (value !== undefined) setUrl(changed, attribute, value, base)
  }
  if (name === 'img' || name === 'source') setSources(changed, element, base)
  if (changed.size === 0) return attributes
  const all: Record<string, string> = Object.assign(Object.create(Object.getPrototypeOf(attributes)), attributes)
  for (const [attribute, value] of changed) all[attribute] = value
  return all
}

function setUrl(changed: Map<string, string>, attribute: string, value: string, base: Base): void {
  // Fragment links stay relative.
  if (value.startsWith('#')) return
  const url = resolveUrl(value, base)
  if (url !== undefined && url !== value) changed.set(attribute, url)
}

function setSources(changed: Map<string, string>, element: Element, base: Base): void {
  const { srcset } = element.attributes
  if (srcset !== undefined) changed.set('srcset', absoluteSrcset(srcset, base))
  const source = element.name === 'img' ? imageSource(element) : undefined
  if (source !== undefined) setUrl(changed, 'src', source, base)
}

function absoluteSrcset(srcset: string, base: Base): string {
  return parseSrcset(srcset)
    .map(({ url, width, density }) => {
      const size = width !== undefined ? ` ${width}w` : density === 1 ? '' : ` ${density}x`
      return `${resolveUrl(url, base) ?? url}${size}`
    })
    .join(', ')
}

/**
 * Returns the URL of an image as written: its largest candidate, or the URL for lazy loading if `src` is only a
 * placeholder. `undefined` if it has none.
 */
export function imageSource({ attributes }: Element): string | undefined {
  const { src } = attributes
  const set = attributes['srcset'] ?? firstOf(attributes, lazySets)
  const isPlaceholder = src === undefined || placeholder.test(src)
  const largest = set === undefined ? undefined : largestCandidate(set, isPlaceholder ? undefined : src)
  if (largest !== undefined && !placeholder.test(largest)) return largest
  return isPlaceholder ? (firstOf(attributes, lazySources) ?? src) : src
}

function firstOf(attributes: Attributes, names: readonly string[]): string | undefined {
  for (const name of names) if (attributes[name]) return attributes[name]
  return undefined
}

/** Returns every URL of an image or source as written, including those for lazy loading. Empty if it has none. */
export function imageSources({ attributes }: Element): string[] {
  const found: string[] = []
  for (const name of ['src', ...lazySources]) if (attributes[name]) found.push(attributes[name])
  for (const name of ['srcset', ...lazySets]) {
    for (const { url } of parseSrcset(attributes[name] ?? '')) found.push(url)
  }
  return found
}
