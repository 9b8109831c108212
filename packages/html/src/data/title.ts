import { only, type Found, type Subject } from './agree.ts'
import { metaOf, plainName, valuesAt } from './items.ts'
import type { ScalarShape } from './shape.ts'
import type { DataLeaf, PageData } from './types.ts'
import { cleanText } from './values.ts'

/** The title of what the page is about: what two of its data, its heading and its head agree on, else what its data say. */
export function titleOf(data: PageData, shape: ScalarShape, { items }: Subject): Found | undefined {
  const own = items.flatMap((item) =>
    ['headline', 'name', 'title'].flatMap((path) => valuesAt(data, item, path).slice(0, 1)),
  )
  const headings = leavesOf(data, 'h1')
  const shared = leavesOf(data, 'og:title').map((leaf) => withoutSite(data, leaf))
  const titles = leavesOf(data, 'title').map((leaf) => withoutSite(data, leaf))
  const candidates = [...own, ...headings, ...shared, ...titles]
  const agreed = candidates.find(
    (leaf, index) =>
      candidates.findIndex((other, at) => at > index && isSame(leaf, other) && isIndependent(data, leaf, other)) >
      index,
  )
  if (agreed) return only([agreed], shape, 'text')
  return (
    only(own.slice(0, 1), shape, 'text') ??
    (headings.length === 1 ? only(headings, shape, 'text') : undefined) ??
    only(shared, shape, 'text')
  )
}

function leavesOf({ meta }: PageData, name: string): readonly DataLeaf[] {
  return meta.filter(({ label }) => label === name)
}

function isSame(one: DataLeaf, other: DataLeaf): boolean {
  return plainName(cleanText(String(one.value))) === plainName(cleanText(String(other.value)))
}

/** Two headings of one page, or two properties of one item, are no two witnesses. */
function isIndependent({ sources }: PageData, one: DataLeaf, other: DataLeaf): boolean {
  return one.source !== other.source && sources[one.source]!.selector !== sources[other.source]!.selector
}

const sign = /\s+[|–—·•»:-]+\s+/g

/** `Title | Site`: the site's name and what it says of itself go. */
function withoutSite(data: PageData, leaf: DataLeaf): DataLeaf {
  const text = String(leaf.value)
  const site = plainName(metaOf(data, 'og:site_name')[0] ?? '')
  const host = plainName(
    URL.parse(data.url)
      ?.hostname.replace(/^www\./, '')
      .replace(/\.[a-z.]+$/, '') ?? '',
  )
  for (const { index, 0: found } of text.matchAll(sign)) {
    const rest = plainName(text.slice(index + found.length))
    const isSite = (site !== '' && rest.startsWith(site)) || (host !== '' && rest.replaceAll(' ', '').startsWith(host))
    if (isSite && index > 0) return { ...leaf, value: text.slice(0, index) }
  }
  return leaf
}
