import { elementsInContent, type Content } from '../page/content.ts'
import { spendNothing, type Spend } from '../tree/output.ts'
import type { HtmlPage } from '../page/page.ts'
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
 * Returns the absolute URLs of all links and frames of the whole page that a crawl may follow, each once; otherwise as
 * `findLinks`. Links that nobody can see are omitted, except in menus and to the next page: they are often traps for crawlers.
 */
export function findAllLinks(page: LinkedPage, spend = spendNothing): string[] {
  const links = page.elements.filter((element) => ways.has(element.name) && !page.isUnseen(element))
  return resolveAll(links, page.base, spend)
}

/** Returns the absolute URLs that `findAllLinks` omits because nobody can see a link to them. */
export function findUnseenLinks(page: LinkedPage, spend = spendNothing): string[] {
  const unseen = page.elements.filter((element) => ways.has(element.name) && page.isUnseen(element))
  if (unseen.length === 0) return []
  const seen = new Set(findAllLinks(page))
  return resolveAll(unseen, page.base, spend).filter((url) => !seen.has(url))
}

/** A page whose links are read. */
export type LinkedPage = Pick<HtmlPage, 'elements' | 'base' | 'isUnseen'>

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
