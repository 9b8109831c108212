import type { Element } from '../../tree/tree.ts'
import { wordsOf } from '../annotations.ts'
import { shorten, type DataBuilder } from '../builder.ts'
import { plainName } from '../items.ts'
import { localeOf } from '../locale.ts'
import type { DataItem, LabelledValue, SeenValue } from '../types.ts'
import { seenAuthor } from './author.ts'
import { seenDay } from './day.ts'
import { isSite } from '../title.ts'
import { findSpots, type SeenPage, type SightReader, type Spot } from './spots.ts'

const ownReaders: readonly SightReader[] = [
  { concept: 'author', read: seenAuthor },
  { concept: 'date published', read: seenDay },
]

interface Seeking extends Pick<SeenPage, 'elements' | 'url'> {
  readonly meta: readonly LabelledValue[]
  /** Concepts to search for; all if absent. */
  readonly wanted: ReadonlySet<string> | undefined
  /** Further searches, which run first. */
  readonly readers?: readonly SightReader[] | undefined
}

/**
 * Collects values that the page shows without markup, for the concepts in `wanted`. Concepts that are not found are
 * omitted.
 */
export function collectSeen(
  { elements, meta, url, wanted, readers = [] }: Seeking,
  builder: DataBuilder,
): readonly SeenValue[] {
  const sought = [...readers, ...ownReaders].filter(({ concept }) => wanted?.has(concept) ?? true)
  if (sought.length === 0) return []
  const page = seenPageOf({ elements, meta, url, findSpots: () => findSpots(elements) }, builder.items)
  return sought.flatMap(({ concept, read }) => {
    const sight = read(page)
    const source = sight && builder.sourceOf(sight.element, 'seen')
    if (!sight || source === undefined) return []
    const { confidence, words } = sight
    return [{ concept, value: shorten(sight.value), source, confidence, ...(words !== undefined && { quote: words }) }]
  })
}

interface PageParts extends Pick<SeenPage, 'elements' | 'url'> {
  readonly meta: readonly LabelledValue[]
}

/** Finds the spots that a search needs. `heading` is an index among the elements. */
export type FindSpots = (heading: number | undefined) => readonly Spot[]

/**
 * Returns the page as the searches for visible values receive it: its spots, the main heading with its ancestors, and the
 * language.
 */
export function seenPageOf(
  { findSpots: find, ...parts }: PageParts & { readonly findSpots: FindSpots },
  items: readonly DataItem[],
): SeenPage {
  const { elements, meta, url } = parts
  const heading = headingOf(parts)
  return {
    url,
    elements,
    spots: find(heading),
    heading,
    aroundHeading: ancestorsOf(elements[heading ?? -1]),
    language: localeOf(meta, url),
    items,
    otherDays: new Set(meta.flatMap(({ value }) => isoDay.exec(String(value).slice(0, maxTimeLength))?.[1] ?? [])),
  }
}

const isoDay = /^(\d{4}-\d{2}-\d{2})(?!\d)/
const maxTimeLength = 40

const metaValue = (meta: readonly LabelledValue[], name: string): string =>
  String(meta.find(({ label }) => label === name)?.value ?? '')

function ancestorsOf(element: Element | undefined): ReadonlySet<Element> {
  const found = new Set<Element>()
  for (let at = element?.parent; at; at = at.parent) found.add(at)
  return found
}

/**
 * Returns the index of the heading that the page title contains, or else of the first `h1`. The site's name is not a
 * heading of the page.
 */
function headingOf({ elements, meta, url }: PageParts): number | undefined {
  const titles = ['og:title', 'title'].map((label) => plainName(metaValue(meta, label)))
  const headings: number[] = []
  for (let place = 0; place < elements.length; place += 1) if (elements[place]!.name === 'h1') headings.push(place)
  const isTitle = (place: number): boolean => {
    const text = wordsOf(elements[place]!)
    const words = plainName(text)
    return words.length > 2 && titles.some((title) => title.includes(words)) && !isSite({ meta, url }, text)
  }
  const named = headings.find(isTitle)
  if (named !== undefined) return named
  const only = headings.length === 1 ? headings[0] : undefined
  if (only !== undefined && !isSite({ meta, url }, wordsOf(elements[only]!))) return only
  const lower = elements.findIndex(({ name }, place) => /^h[2-6]$/.test(name) && isTitle(place))
  return lower >= 0 ? lower : (titledText(elements, titles) ?? headings[0])
}

/** Elements that repeat the title of a page, but do not show it as its heading. */
const notHeading = new Set('html head title meta script style noscript template option a li'.split(' '))
const minTitleLength = 12

/**
 * Returns the index of the first element that shows the page's title, for pages without a heading element. It has the start
 * of a title, and more than half of it, as the name of the site follows.
 */
function titledText(elements: readonly Element[], titles: readonly string[]): number | undefined {
  const place = elements.findIndex(({ name, first }) => {
    if (first?.type !== 'text' || first.text.length > maxTitleLength || first.text.length < minTitleLength) return false
    if (notHeading.has(name)) return false
    const words = plainName(first.text)
    return (
      words.length >= minTitleLength &&
      titles.some((title) => title.startsWith(words) && words.length * 2 > title.length)
    )
  })
  return place < 0 ? undefined : place
}

const maxTitleLength = 400
