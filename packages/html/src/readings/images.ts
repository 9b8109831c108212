import { imageSources } from '../addresses/absolute-urls.ts'
import { elementsInContent, type Content } from '../page/content.ts'
import { spendNothing } from '../tree/output.ts'
import type { Element } from '../tree/tree.ts'
import { resolveUrl, type Base } from '../addresses/urls.ts'

const carriers = new Set(['img', 'source', 'video', 'input', 'image'])

/**
 * Returns the absolute URLs of the images in the content, each once, in page order: `img` and `picture` sources with
 * all their candidates, including those for lazy loading, posters of videos, and images in SVG. Inline `data:` images
 * are omitted.
 */
export function findImages(content: Content, base: Base, spend = spendNothing): string[] {
  const found = new Set<string>()
  for (const element of elementsInContent(content, carriers)) {
    for (const address of addressesOf(element)) {
      const url = /^\s*(?:data|blob|about):/i.test(address) ? undefined : resolveUrl(address, base)
      if (url === undefined || found.has(url)) continue
      spend(url.length, 1)
      found.add(url)
    }
  }
  return [...found]
}

function addressesOf(element: Element): readonly string[] {
  const { name, attributes, parent } = element
  switch (name) {
    case 'img':
      return imageSources(element)
    case 'source':
      return parent?.name === 'picture' ? imageSources(element) : []
    case 'video':
      return attributes['poster'] ? [attributes['poster']] : []
    case 'input':
      return attributes['type']?.toLowerCase() === 'image' && attributes['src'] ? [attributes['src']] : []
    default:
      return [attributes['href'] ?? attributes['xlink:href'] ?? ''].filter(Boolean)
  }
}
