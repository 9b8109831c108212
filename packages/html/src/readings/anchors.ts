import type { Element } from '../tree/tree.ts'
import { spendNothing } from '../tree/output.ts'
import { isFollowable, resolveUrl } from '../addresses/urls.ts'
import type { LinkedPage } from './links.ts'
import { elementsOf, lineOf, textOf } from '../tree/walk.ts'

/** A link of a page and its text. */
export interface Anchor {
  readonly url: string
  readonly text: string
}

const ways = new Set(['a', 'area', 'frame', 'iframe'])
const maxTextLength = 300

/**
 * Returns all links and frames of the page with `http` or `https` as absolute URLs, each once, with the first non-empty text,
 * label or title, cut to 300 characters. Omits fragment links, invalid links and the links that `findAllLinks` omits. `spend` is
 * called with the characters of each link's URL and text and the number of its values (2), and may throw to stop.
 */
export function findAnchors(page: LinkedPage, spend = spendNothing): Anchor[] {
  const texts = new Map<string, string>()
  for (const element of page.elements) {
    if (!ways.has(element.name) || page.isUnseen(element)) continue
    const { attributes } = element
    const href = (attributes['href'] ?? attributes['xlink:href'] ?? attributes['src'])?.trim()
    if (!href || href.startsWith('#') || !isFollowable(href)) continue
    const url = resolveUrl(href, page.base)
    if (url === undefined || !/^https?:/.test(url) || texts.get(url)) continue
    const name = nameOf(element)
    spend(url.length + name.length, 2)
    texts.set(url, name)
  }
  return [...texts].map(([url, text]) => ({ url, text }))
}

function nameOf(element: Element): string {
  const { attributes } = element
  const text = element.name === 'a' ? lineOf(textOf(element)) || pictured(element) : ''
  return (text || lineOf(attributes['aria-label'] ?? attributes['title'] ?? attributes['alt'] ?? '')).slice(
    0,
    maxTextLength,
  )
}

function pictured(link: Element): string {
  const picture = elementsOf(link).find(({ name, attributes }) => name === 'img' && attributes['alt'])
  return lineOf(picture?.attributes['alt'] ?? '')
}
