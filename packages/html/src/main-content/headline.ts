// Tells a page's headline from a site name that is marked up as a heading.
import type { Element } from '../tree/tree.ts'
import { block, blockText, blockWidth } from './block-table.ts'
import type { Described } from './described.ts'
import { columnsOf, isWithin } from './furniture.ts'

const elsewhere = columnsOf('nav', 'footer', 'dialog', 'aside', 'hidden', 'form', 'search')

/**
 * Returns whether block `i` can be the headline: it has words, is not in navigation or the like, and neither links to
 * the home page nor names the site.
 */
export function isHeadline(described: Described, i: number): boolean {
  const { blocks } = described
  if (blocks.table.data[i * blockWidth + block.words] === 0 || isWithin(blocks, i, elsewhere)) return false
  return !linksHome(described, i) && !namesSite(described, blockText(blocks, i))
}

const homePath = /^\/(?:[a-z]{2}\/?|index\.\w+)?$/

/** Returns whether the block consists only of a link to the site's home page. */
function linksHome({ blocks, url }: Described, i: number): boolean {
  const at = i * blockWidth
  const { data } = blocks.table
  if (data[at + block.linkWords]! < data[at + block.words]!) return false
  let element: Element | null = blocks.texts[data[at + block.firstText]!]!.parent
  while (element && element.name !== 'a') element = element.parent
  const href = element?.attributes['href']
  if (href === undefined) return false
  const target = URL.parse(href, URL.canParse(url) ? url : 'https://site.invalid/a/page')
  return target !== null && target.search === '' && homePath.test(target.pathname)
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

function namesSite({ head, url }: Described, text: string): boolean {
  const letters = lettersOf(text)
  const host = URL.parse(url)?.hostname.split('.') ?? []
  return letters === lettersOf(head.siteName) || host.slice(0, -1).some((label) => lettersOf(label) === letters)
}
