import { only, type Found, type Subject } from './agree.ts'
import { metaOf, plainName, valuesAt } from './items.ts'
import type { ScalarShape } from './shape.ts'
import type { DataLeaf, PageData } from './types.ts'
import { cleanText } from './values.ts'

/**
 * The title of what the page is about. What people see comes first: the one heading of the page, if its data or its head speak
 * of it, or the one of several that they repeat. Without one, what the data say, then the head, which often hold a title for
 * search engines.
 */
export function titleOf(data: PageData, shape: ScalarShape, { items }: Subject): Found | undefined {
  const own = items
    .flatMap((item) => ['headline', 'name', 'title'].map((path) => valuesAt(data, item, path)[0]))
    .filter((leaf) => leaf !== undefined)
  const head = ['og:title', 'title'].flatMap((name) => leavesOf(data, name).map((leaf) => withoutSite(data, leaf)))
  const said = [...own, ...head]
  const headings = leavesOf(data, 'h1').filter((leaf) => !isSite(data, String(leaf.value)))
  const repeated = headings.find((leaf) => said.some((other) => isSame(leaf, other)))
  const told = headings.find((leaf) => said.some((other) => isAbout(leaf, other, headings.length > 1)))
  const leaf = repeated ?? told ?? said[0]
  return leaf && only([leaf], shape, 'text')
}

function leavesOf({ meta }: PageData, name: string): readonly DataLeaf[] {
  return meta.filter(({ label }) => label === name)
}

function isSame(one: DataLeaf, other: DataLeaf): boolean {
  return plainName(cleanText(String(one.value))) === plainName(cleanText(String(other.value)))
}

/** Of several headings more of the words must be shared. */
const enoughShared = { one: 0.4, several: 0.6 } as const

/** Do the data or the head share the words of the heading? */
function isAbout(heading: DataLeaf, said: DataLeaf, isOneOfSeveral: boolean): boolean {
  const words = wordsOf(heading)
  const other = new Set(wordsOf(said))
  const least = isOneOfSeveral ? enoughShared.several : enoughShared.one
  return words.filter((word) => other.has(word)).length >= words.length * least
}

const wordsOf = (leaf: DataLeaf): readonly string[] =>
  plainName(cleanText(String(leaf.value)))
    .split(' ')
    .filter(Boolean)

const sign = /\s+[|–—·•»:-]+\s+/g

/** `Title | Site`: the site's name and what it says of itself go. */
function withoutSite(data: PageData, leaf: DataLeaf): DataLeaf {
  const text = String(leaf.value)
  for (const { index, 0: found } of text.matchAll(sign)) {
    if (index > 0 && isSite(data, text.slice(index + found.length))) return { ...leaf, value: text.slice(0, index) }
  }
  return leaf
}

const ofAnySite = new Set('the forum forums blog official site website online shop store news s com org net'.split(' '))

const shortestName = 3

/** Is the text the name of the site: as it says itself, or the words of its host? */
export function isSite(data: PageData, text: string): boolean {
  const words = plainName(text).split(' ')
  const site = plainName(metaOf(data, 'og:site_name')[0] ?? '')
  if (site !== '' && plainName(text).startsWith(site)) return true
  const host = plainName(URL.parse(data.url)?.hostname ?? '').replaceAll(' ', '')
  const own = words.filter((word) => !ofAnySite.has(word))
  const joined = (own.length > 0 ? own : words).join('')
  return joined.length >= shortestName && host.includes(joined)
}
