import { only, type Found, type Subject } from './agree.ts'
import { metaOf, plainName, valuesAt } from './items.ts'
import type { ScalarShape } from './shape.ts'
import type { DataLeaf, PageData } from './types.ts'
import { cleanText } from './values.ts'

/**
 * Returns the title of the page's main subject, or `undefined` if there is none. Prefers what users see: an `h1` that the
 * structured data or the head repeats, or that shares enough words with them. Otherwise the title in the data, then the one in
 * the head, which is often written for search engines.
 */
export function titleOf(data: PageData, shape: ScalarShape, { items }: Subject): Found | undefined {
  const own = items
    .flatMap((item) => ['headline', 'name', 'title'].map((path) => valuesAt(data, item, path)[0]))
    .filter((leaf) => leaf !== undefined)
  const head = ['og:title', 'title'].flatMap((name) => leavesOf(data, name).map((leaf) => withoutSite(data, leaf)))
  const declared = [...own, ...head]
  const headings = leavesOf(data, 'h1').filter((leaf) => !isSite(data, String(leaf.value)))
  const repeated = headings.find((leaf) => declared.some((other) => isSame(leaf, other)))
  const related = headings.find((leaf) => declared.some((other) => isAbout(leaf, other, headings.length > 1)))
  const leaf = repeated ?? related ?? declared[0]
  return leaf && only([{ ...leaf, value: String(leaf.value).replace(anchor, '') }], shape, 'text')
}

/** A sign at the end of a heading that links to it. */
const anchor = /\s*[#¶§]$/

function leavesOf({ meta }: PageData, name: string): readonly DataLeaf[] {
  return meta.filter(({ label }) => label === name)
}

function isSame(one: DataLeaf, other: DataLeaf): boolean {
  return plainName(cleanText(String(one.value))) === plainName(cleanText(String(other.value)))
}

/** Minimum share of common words. Higher if there are several headings. */
const enoughShared = { one: 0.4, several: 0.6 } as const

/** Returns whether the heading shares enough words with a title in the data or head. */
function isAbout(heading: DataLeaf, declared: DataLeaf, isOneOfSeveral: boolean): boolean {
  const words = wordsOf(heading)
  const other = new Set(wordsOf(declared))
  const least = isOneOfSeveral ? enoughShared.several : enoughShared.one
  return words.filter((word) => other.has(word)).length >= words.length * least
}

const wordsOf = (leaf: DataLeaf): readonly string[] =>
  plainName(cleanText(String(leaf.value)))
    .split(' ')
    .filter(Boolean)

const sign = /\s+[|–—·•»:-]+\s+/g

/** Removes the site's name and slogan: `Title | Site`. */
function withoutSite(data: PageData, leaf: DataLeaf): DataLeaf {
  const text = String(leaf.value)
  for (const { index, 0: found } of text.matchAll(sign)) {
    if (index > 0 && isSite(data, text.slice(index + found.length))) return { ...leaf, value: text.slice(0, index) }
  }
  return leaf
}

const ofAnySite = new Set('the forum forums blog official site website online shop store news s com org net'.split(' '))

const minNameLength = 3

/**
 * Returns whether a string is the site's name: it starts with `og:site_name`, or the host name contains its words without
 * spaces. Words such as `blog` and `news` are ignored for the host name.
 */
export function isSite(data: Pick<PageData, 'meta' | 'url'>, text: string): boolean {
  const words = plainName(text).split(' ')
  const site = plainName(metaOf(data, 'og:site_name')[0] ?? '')
  if (site !== '' && plainName(text).startsWith(site)) return true
  const own = words.filter((word) => !ofAnySite.has(word))
  const joined = (own.length > 0 ? own : words).join('')
  return joined.length >= minNameLength && hostOf(data.url).includes(joined)
}

let lastHost = { url: '', host: '' }

/** Returns the letters and digits of a URL's host. Stores the last one, as a page asks for its own many times. */
function hostOf(url: string): string {
  if (lastHost.url !== url) {
    lastHost = { url, host: plainName(URL.parse(url)?.hostname ?? '').replaceAll(' ', '') }
  }
  return lastHost.host
}
