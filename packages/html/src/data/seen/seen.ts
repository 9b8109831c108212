import type { Element } from '../../tree/tree.ts'
import { wordsOf } from '../annotations.ts'
import { shorten, type DataBuilder } from '../builder.ts'
import { plainName } from '../items.ts'
import type { LabelledValue, SeenValue } from '../types.ts'
import { seenAuthor } from './author.ts'
import { seenDay } from './day.ts'
import { findSpots, type SeenPage, type SightReader } from './spots.ts'

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
  /** Whether to search near the heading only. */
  readonly isNear?: boolean
}

/** Elements before and after the heading that are near it. */
const near = { before: 30, after: 80 } as const

/**
 * Collects values that the page shows without markup, for the concepts in `wanted`. Concepts that are not found are
 * omitted.
 */
export function collectSeen(
  { elements, meta, url, wanted, readers = [], isNear = false }: Seeking,
  builder: DataBuilder,
): readonly SeenValue[] {
  const sought = [...readers, ...ownReaders].filter(({ concept }) => wanted?.has(concept) ?? true)
  if (sought.length === 0) return []
  const metaValue = (label: string): string => String(meta.find((entry) => entry.label === label)?.value ?? '')
  const titles = ['og:title', 'title'].map((label) => plainName(metaValue(label)))
  const heading = headingOf(elements, titles)
  const at = heading ?? near.before
  const spots = findSpots(elements, isNear ? { from: at - near.before, to: at + near.after } : undefined)
  const page = {
    url,
    elements,
    spots,
    heading,
    aroundHeading: ancestorsOf(elements[heading ?? -1]),
    language: metaValue('language'),
    items: builder.items,
  }
  return sought.flatMap(({ concept, read }) => {
    const sight = read(page)
    const source = sight && builder.sourceOf(sight.element, 'seen')
    if (!sight || source === undefined) return []
    const { confidence, words } = sight
    return [{ concept, value: shorten(sight.value), source, confidence, ...(words !== undefined && { quote: words }) }]
  })
}

function ancestorsOf(element: Element | undefined): ReadonlySet<Element> {
  const found = new Set<Element>()
  for (let at = element?.parent; at; at = at.parent) found.add(at)
  return found
}

/** Returns the index of the heading that the page title contains, or else of the first `h1`. */
function headingOf(elements: readonly Element[], titles: readonly string[]): number | undefined {
  const headings: number[] = []
  for (const [place, { name }] of elements.entries()) if (name === 'h1') headings.push(place)
  const isTitle = (place: number): boolean => {
    const words = plainName(wordsOf(elements[place]!))
    return words.length > 2 && titles.some((title) => title.includes(words))
  }
  const named = headings.find(isTitle)
  if (named !== undefined) return named
  if (headings.length === 1) return headings[0]
  const lower = elements.findIndex(({ name }, place) => /^h[23]$/.test(name) && isTitle(place))
  return lower >= 0 ? lower : headings[0]
}
