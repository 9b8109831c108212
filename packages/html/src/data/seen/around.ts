// What the names around an element tell of it: classes, ids and marks of it and of what it stands in.
import type { Element } from '../../tree/tree.ts'

const naming = [
  'class',
  'id',
  'itemprop',
  'data-testid',
  'data-test',
  'data-qa',
  'data-qa-qualifier',
  'data-hook',
  'aria-label',
] as const

/** The names of an element as words: `priceBlock_ourPrice` is ` price block our price `. */
export function namesOf({ name, attributes }: Element): string {
  const found = naming.flatMap((attribute) => attributes[attribute]?.slice(0, 300) ?? [])
  const words = found
    .join(' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
  return ` ${name} ${words} `
}

/** The names of an element and of some that it stands in, from the inside. */
export function namesAround(element: Element, most: number): readonly string[] {
  const found: string[] = []
  for (let at: Element | null = element; at && found.length < most; at = at.parent) {
    if (at.name === 'body' || at.name === '#document') break
    found.push(namesOf(at))
  }
  return found
}

const hidden = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i

/** Whether an element says of itself that it is not shown. */
export function isHidden({ attributes }: Element): boolean {
  return attributes['hidden'] !== undefined || hidden.test(attributes['style'] ?? '')
}

/** What is about something else than what the page is about. */
export const elsewhere =
  / (?:related|recommend\w*|similar|upsell\w*|crosssell\w*|cross sell|carousel|also|recently|viewed|bundle|sponsored|minicart|mini (?:cart|basket)|cart drawer|wishlist|compare|header|footer|nav|aside|menu|breadcrumbs?|reviews?|accessor\w+|suggest\w*|popular|bestsellers?|newsletter|filter|facets?|dialog|modal|popup|owl|swiper|slick|other (?:offers|sellers|items)) /
