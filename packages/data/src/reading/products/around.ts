// Reads the names around an element: classes, ids and similar attributes of it and of its ancestors.
import type { Element } from '@harvestman/html/internal'

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

/**
 * Returns the tag name, classes, id and similar names of an element as lower-case words: `<b class="priceBlock_ourPrice">`
 * becomes ` b price block our price `.
 */
export function namesOf({ name, attributes }: Element): string {
  const found = naming.flatMap((attribute) => attributes[attribute]?.slice(0, 300) ?? [])
  const words = found
    .join(' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
  return ` ${name} ${words} `
}

/** Returns the names of an element and its ancestors, innermost first, at most `most` entries. */
export function namesAround(element: Element, most: number): readonly string[] {
  const found: string[] = []
  for (let at: Element | null = element; at && found.length < most; at = at.parent) {
    if (at.name === 'body' || at.name === '#document') break
    found.push(namesOf(at))
  }
  return found
}

/** Names of page parts that are not about the page's main subject. */
export const elsewhere =
  / (?:related|recommend\w*|similar|upsell\w*|crosssell\w*|cross sell|carousel|also|recently|viewed|bundle|sponsored|minicart|mini (?:cart|basket)|cart drawer|wishlist|compare|header|footer|nav|aside|menu|breadcrumbs?|reviews?|accessor\w+|suggest\w*|popular|bestsellers?|newsletter|filter|facets?|dialog|modal|popup|owl|swiper|slick|other (?:offers|sellers|items)) /
