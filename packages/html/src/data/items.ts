import { cleanText } from './values.ts'
import { wordsOfName } from './concepts.ts'
import type { DataItem, DataLeaf, PageData } from './types.ts'

// Finds the item that is the page's main subject.

const families = {
  product:
    /^(?:Product|ProductGroup|ProductModel|IndividualProduct|SomeProducts|Vehicle|Car|Book|SoftwareApplication|MobileApplication|WebApplication|VideoGame)$/,
  recipe: /^Recipe$/,
  event: /Event$|^Festival$/,
  job: /^JobPosting$/,
  thread: /^(?:DiscussionForumPosting|SocialMediaPosting|Question)$/,
  article: /Article$|^(?:BlogPosting|LiveBlogPosting|Report|Review|Blog)$/,
  video: /^VideoObject$/,
  course: /^Course$/,
  place:
    /^(?:LocalBusiness|Restaurant|Hotel|Store|Place|TouristAttraction|Accommodation|SingleFamilyResidence|Apartment|House)$/,
  person: /^(?:Person|ProfilePage)$/,
  organization: /^(?:Organization|Corporation|NewsMediaOrganization|EducationalOrganization)$/,
} as const

export type Family = keyof typeof families

const familyNames = Object.keys(families) as readonly Family[]
const webPage = /Page$/

/** Returns whether one of an item's types belongs to the family, such as products. */
export function isOf(family: Family, { types }: DataItem): boolean {
  return types.some((type) => families[family].test(type))
}

/** Returns whether an item describes the page itself and not its subject. */
export function isWebPage({ types }: DataItem): boolean {
  return types.some((type) => webPage.test(type))
}

const hints: readonly (readonly [Family, RegExp])[] = [
  [
    'product',
    /^(?:price|currency|sku|mpn|gtin|gtin13|ean|upc|isbn|brand|availability|in stock|low price|seller|variants|offers)$/,
  ],
  ['recipe', /^(?:ingredients|recipe ingredients|instructions|prep time|cook time|servings|yield)$/],
  ['event', /^(?:start date|end date|venue|organizer|performer)$/],
  ['job', /^(?:company|employer|employment type|salary|hiring organization)$/],
  [
    'thread',
    /^(?:replies|reply count|answers|answer count|accepted answer|posts|question|question text|view count|upvotes)$/,
  ],
  ['article', /^(?:headline|section|article section|article body|word count|byline)$/],
]

/** Returns the kind of entity that these field names describe; `undefined` if none matches, or several match equally well. */
export function familyOf(fields: readonly string[]): Family | undefined {
  const names = fields.map((field) => wordsOfName(field))
  const votes = hints.map(([family, words]) => [family, names.filter((name) => words.test(name)).length] as const)
  const [best, second] = votes.toSorted((one, other) => other[1] - one[1])
  return best && best[1] > 0 && best[1] > (second?.[1] ?? 0) ? best[0] : undefined
}

/**
 * Returns the item, or items (one per notation), that the page is about: of the wanted family, or without one of the first
 * family with a clear main item. Empty if there is none, or it is ambiguous.
 */
export function mainItems(data: PageData, wanted: Family | undefined): readonly DataItem[] {
  const owners = ownersOf(data)
  const tried = wanted ? [wanted] : familyNames
  for (const family of tried) {
    const all = data.items.filter((item) => isOf(family, item) && Object.keys(item.properties).length > 0)
    const top = all.filter((item) => isMain(owners.get(data.items.indexOf(item))))
    const chosen = chooseOne(data, top)
    if (chosen.length > 0) return chosen
  }
  return []
}

const holders = new Set(['mainEntity', 'mainEntityOfPage', 'itemOffered', 'itemReviewed', 'about'])

function isMain(owners: ReadonlySet<string> | undefined): boolean {
  return owners === undefined || [...owners].every((name) => holders.has(name))
}

function ownersOf({ items }: PageData): Map<number, Set<string>> {
  const owners = new Map<number, Set<string>>()
  for (const { properties } of items) {
    for (const [name, entries] of Object.entries(properties)) {
      for (const entry of entries) {
        if (!('item' in entry)) continue
        const names = owners.get(entry.item) ?? new Set()
        owners.set(entry.item, names.add(name))
      }
    }
  }
  return owners
}

function chooseOne(data: PageData, items: readonly DataItem[]): readonly DataItem[] {
  if (items.length === 0) return []
  const groups = Map.groupBy(items, (item) => plainName(nameOf(item) ?? ''))
  // An item without a name is ignored.
  if (groups.size > 1) groups.delete('')
  if (groups.size === 1) return [...groups.values()][0]!
  const titles = namesOfPage(data).map(plainName)
  const named = [...groups].filter(([name]) => titles.some((title) => title === name))
  if (named.length === 1) return named[0]![1]
  const urls = new Set([data.url, ...metaOf(data, 'canonical'), ...metaOf(data, 'og:url')].map(plainUrl))
  const addressed = [...groups].filter(([, group]) =>
    group.some((item) => urlsOf(item).some((url) => urls.has(plainUrl(url)))),
  )
  return addressed.length === 1 ? addressed[0]![1] : []
}

/** Returns the names that the page gives itself: its `h1`, `og:title` and `title`, as far as present. */
export function namesOfPage(data: PageData): readonly string[] {
  return [...metaOf(data, 'h1'), ...metaOf(data, 'og:title'), ...metaOf(data, 'title')]
}

/** Returns all values of the metadata with this name, in page order. Empty if there are none. */
export function metaOf({ meta }: Pick<PageData, 'meta'>, name: string): readonly string[] {
  return meta.filter(({ label }) => label === name).map(({ value }) => String(value))
}

/** Returns an item's headline, name or title as plain text, or `undefined` if it has none. */
export function nameOf({ properties }: DataItem): string | undefined {
  const entry = (properties['headline'] ?? properties['name'] ?? properties['title'])?.find((found) => 'value' in found)
  return entry && 'value' in entry ? cleanText(String(entry.value)) : undefined
}

function urlsOf({ properties, id }: DataItem): readonly string[] {
  const leaves = ['url', 'mainEntityOfPage'].flatMap((name) => properties[name] ?? [])
  const values = leaves.flatMap((leaf) => ('value' in leaf ? [String(leaf.value)] : []))
  return id === undefined ? values : [...values, id]
}

/**
 * Returns a name in lower case, with everything except letters and digits replaced by single spaces, for comparison.
 */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function plainUrl(url: string): string {
  return url
    .replace(/[#?].*$/s, '')
    .replace(/\/$/, '')
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .toLowerCase()
}

/**
 * Returns the values at a property path, in page order; empty if there are none. `#view` means an interaction count,
 * and `lowPrice=highPrice` the lower value if both are equal.
 */
export function valuesAt(data: PageData, item: DataItem, path: string): readonly DataLeaf[] {
  if (path.startsWith('#')) return counters(data, item, path.slice(1))
  if (path === '@id') return []
  const [lower, upper] = path.split('=')
  if (upper !== undefined) return range(data, item, lower!, upper)
  let at: readonly DataItem[] = [item]
  const steps = path.split('.')
  const last = steps.pop()!
  for (const step of steps) at = at.flatMap((one) => itemsAt(data, one, step))
  return at.flatMap((one) => (one.properties[last] ?? []).filter((entry) => 'value' in entry))
}

/** Returns the lower ends of price ranges, if each equals its upper end. */
function range(data: PageData, item: DataItem, path: string, upper: string): readonly DataLeaf[] {
  const highest = valuesAt(data, item, path.replace(/[^.]*$/, upper))
  const lowest = valuesAt(data, item, path)
  const isOne =
    lowest.length === highest.length &&
    lowest.every((leaf, index) => Number(leaf.value) === Number(highest[index]!.value))
  return isOne ? lowest : []
}

/** Returns the items that a property refers to. Empty if the property is missing or has plain values only. */
export function itemsAt(data: PageData, item: DataItem, name: string): readonly DataItem[] {
  return (item.properties[name] ?? []).flatMap((entry) => ('item' in entry ? [data.items[entry.item]!] : []))
}

/** Returns the `InteractionCounter` values of an item for an action (`comment`, `like`, `view`). */
function counters(data: PageData, item: DataItem, action: string): readonly DataLeaf[] {
  // A count lower than the number of comments on the page counts something else, such as replies to one post.
  const comments = itemsAt(data, item, 'comment').length
  return itemsAt(data, item, 'interactionStatistic')
    .concat(itemsAt(data, item, 'interactionCount'))
    .flatMap((counter) => {
      const kinds = (counter.properties['interactionType'] ?? []).flatMap((entry) =>
        'value' in entry ? [String(entry.value)] : data.items[entry.item]!.types,
      )
      const isThis = kinds.some((kind) => kind.toLowerCase().includes(action))
      return isThis ? valuesAt(data, counter, 'userInteractionCount') : []
    })
    .filter(({ value }) => action !== 'comment' || Number(value) >= comments)
}
