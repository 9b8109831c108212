import { elementsInContent, type Content } from '../page/content.ts'
import { spendNothing, type Spend } from '../tree/output.ts'
import { elementsOf } from '../tree/walk.ts'
import type { Element } from '../tree/tree.ts'
import { isFollowable, resolveUrl, type Base } from '../addresses/urls.ts'

const anchors = new Set(['a', 'area'])
const ways = new Set(['a', 'area', 'frame', 'iframe'])

/** Where the content leads to: absolute, each once, in the order of the page. Links within the page are left out. */
export function findLinks(content: Content, base: Base, spend = spendNothing): string[] {
  return resolveAll(elementsInContent(content, anchors), base, spend)
}

/** Every link and frame of the whole page, for a crawl: what is not content may still lead on. */
export function findAllLinks(root: Element, base: Base, spend = spendNothing): string[] {
  return resolveAll(
    elementsOf(root).filter(({ name }) => ways.has(name)),
    base,
    spend,
  )
}

function resolveAll(elements: readonly Element[], base: Base, spend: Spend): string[] {
  const found = new Set<string>()
  for (const { attributes } of elements) {
    const href = (attributes['href'] ?? attributes['xlink:href'] ?? attributes['src'])?.trim()
    if (!href || href.startsWith('#') || !isFollowable(href)) continue
    const url = resolveUrl(href, base)
    if (url === undefined || found.has(url)) continue
    // A long base makes every short link a long one.
    spend(url.length, 1)
    found.add(url)
  }
  return [...found]
}
