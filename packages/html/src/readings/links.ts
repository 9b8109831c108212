import { elementsInContent, type Content } from '../page/content.ts'
import { spendNothing, type Spend } from '../tree/output.ts'
import { elementsOf } from '../tree/walk.ts'
import type { Element } from '../tree/tree.ts'
import { isFollowable, resolveUrl, type Base } from '../addresses/urls.ts'

const anchors = new Set(['a', 'area'])
const ways = new Set(['a', 'area', 'frame', 'iframe'])

/**
 * Returns the absolute URLs of the links in the content, each once, in page order, including those such as `mailto:`. Fragment
 * links, and URLs such as `javascript:` and `data:`, are omitted.
 */
export function findLinks(content: Content, base: Base, spend = spendNothing): string[] {
  return resolveAll(elementsInContent(content, anchors), base, spend)
}

/**
 * Returns the absolute URLs of all links and frames of the whole page, each once, for crawling; otherwise as `findLinks`. Empty
 * if there are none.
 */
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
    // Counted after resolving, as a long base URL makes every relative link long.
    spend(url.length, 1)
    found.add(url)
  }
  return [...found]
}
