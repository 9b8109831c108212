import { wordsOfName } from './concepts.ts'
import type { Subject } from './agree.ts'
import { isOf, itemsAt, valuesAt, type Family } from './items.ts'
import type { ObjectShape } from './shape.ts'
import type { DataItem, DataLeaf, PageData } from './types.ts'

// Finds the members of a list of objects.

/** One member of a list: an entity, or a leaf for each field. */
export type Member = { readonly subject: Subject } | { readonly leaves: Readonly<Record<string, DataLeaf>> }

const parts: readonly (readonly [names: RegExp, properties: readonly string[]])[] = [
  [/^(?:reviews?|customer reviews|user reviews)$/, ['review', 'reviews']],
  [/^(?:offers?|prices|variants|skus|options)$/, ['hasVariant', 'offers.offers', 'offers']],
  [/^(?:comments?|replies|responses)$/, ['comment']],
  [/^(?:answers?)$/, ['acceptedAnswer', 'suggestedAnswer']],
  [/^(?:authors?|creators|writers)$/, ['author', 'creator']],
  [/^(?:images|photos|pictures)$/, ['image']],
  [/^(?:steps|instructions)$/, ['recipeInstructions', 'step']],
]

/**
 * Returns the members of the list that a field's name means, such as breadcrumbs, questions or posts. Empty if the page has no
 * such list, or it is ambiguous.
 */
export function listOf(data: PageData, name: string, shape: ObjectShape, subject: Subject): readonly Member[] {
  const words = wordsOfName(name)
  const inner = parts.find(([names]) => names.test(words))?.[1]
  if (inner) return inItem(data, inner, subject, words)
  if (words === 'posts') return posts(data, subject)
  if (/^bread ?crumbs?$/.test(words)) return breadcrumbs(data)
  if (/^(?:faqs?|questions|questions and answers|q and a|qa)$/.test(words)) return questions(data, shape)
  if (!subject.isPage) return []
  const listed = listedItems(data, words)
  return listed.length > 0 ? listed : rowsOf(data, shape)
}

const asMember = (...items: readonly DataItem[]): { readonly subject: Subject } => ({
  subject: { items, isPage: false },
})

function inItem(data: PageData, properties: readonly string[], { items }: Subject, words: string): readonly Member[] {
  for (const item of items) {
    const lists = properties.map((property) => follow(data, item, property))
    // The accepted answer and the others form one list.
    const found = words.startsWith('answer') ? lists.flat() : (lists.find((list) => list.length > 0) ?? [])
    if (found.length > 0) return found.map((one) => asMember(one))
  }
  return []
}

function follow(data: PageData, item: DataItem, path: string): readonly DataItem[] {
  let at: readonly DataItem[] = [item]
  for (const step of path.split('.')) at = at.flatMap((one) => itemsAt(data, one, step))
  return [...new Set(at)]
}

/** Returns the first post of a thread and its replies. */
function posts(data: PageData, { items }: Subject): readonly Member[] {
  const [first] = items
  if (!first || !isOf('thread', first)) return []
  const replies = ['comment', 'acceptedAnswer', 'suggestedAnswer'].flatMap((path) => follow(data, first, path))
  return replies.length === 0 ? [] : [first, ...replies].map((one) => asMember(one))
}

function breadcrumbs(data: PageData): readonly Member[] {
  const list = data.items.find(
    ({ types, properties }) => types.includes('BreadcrumbList') && properties['itemListElement'],
  )
  const steps = list ? itemsAt(data, list, 'itemListElement') : []
  return steps.map((step) => asMember(step, ...itemsAt(data, step, 'item')))
}

function questions(data: PageData, shape: ObjectShape): readonly Member[] {
  const page = data.items.find(({ types }) => types.includes('FAQPage'))
  if (!page) return []
  return follow(data, page, 'mainEntity').flatMap((question) => {
    const record: Record<string, DataLeaf> = {}
    for (const { name } of shape.fields) {
      const path = /answer|response|reply|text|content/i.test(name) ? 'acceptedAnswer.text' : 'name'
      const [leaf] = valuesAt(data, question, path)
      if (leaf) record[name] = leaf
    }
    return Object.keys(record).length > 0 ? [{ leaves: record }] : []
  })
}

const kinds: readonly (readonly [names: RegExp, family: Family | undefined])[] = [
  [/^(?:products?|product list|goods)$/, 'product'],
  [/^(?:articles?|news|stories|posts|blog posts)$/, 'article'],
  [/^(?:recipes)$/, 'recipe'],
  [/^(?:events|upcoming events)$/, 'event'],
  [/^(?:jobs|job postings|vacancies|openings)$/, 'job'],
  [/^(?:videos)$/, 'video'],
  [/^(?:items|results|entries|listings?|list|elements|search results|cards|links)$/, undefined],
]

const fewest = 2

/** Returns the members of an `ItemList` on the page, or else its items of one kind. */
function listedItems(data: PageData, words: string): readonly Member[] {
  const kind = kinds.find(([names]) => names.test(words))
  if (!kind) return []
  const [, family] = kind
  const lists = data.items
    .filter(({ types }) =>
      types.some(
        (type) =>
          type === 'ItemList' ||
          type === 'OfferCatalog' ||
          type === 'Blog' ||
          type === 'CollectionPage' ||
          type === 'SearchResultsPage',
      ),
    )
    .map((list) => members(data, list).filter((items) => !family || isMember(items, family)))
    .filter((list) => list.length >= fewest)
  const distinct = new Map(lists.map((list) => [list.map(([first]) => data.items.indexOf(first!)).join(), list]))
  if (distinct.size === 1) return [...distinct.values()][0]!.map((items) => asMember(...items))
  if (distinct.size > 1) return []
  const families: readonly Family[] = family ? [family] : ['product', 'article', 'event', 'recipe', 'job', 'video']
  const groups = families
    .map((one) => data.items.filter((item) => item.isTop && isOf(one, item)))
    .filter((group) => group.length >= fewest)
  return groups.length === 1 ? groups[0]!.map((one) => asMember(one)) : []
}

/**
 * Returns whether list members belong to a family. Lists often do not give the type of their members, so `ListItem`
 * counts too.
 */
function isMember(items: readonly DataItem[], family: Family): boolean {
  return (
    items.some((item) => isOf(family, item)) || items.every(({ types }) => types.every((type) => type === 'ListItem'))
  )
}

/** Returns the items that describe each member. A `ListItem` itself has few properties, so its target comes first. */
function members(data: PageData, list: DataItem): readonly (readonly DataItem[])[] {
  return ['itemListElement', 'blogPost', 'mainEntity', 'hasPart'].flatMap((name) =>
    itemsAt(data, list, name).flatMap((entry) => {
      if (entry.types.includes('ListItem')) return [[...itemsAt(data, entry, 'item'), entry]]
      return entry.types.includes('ItemList') ? [] : [[entry]]
    }),
  )
}

/** Returns the rows of the only table whose column names match the fields. */
function rowsOf(data: PageData, { fields }: ObjectShape): readonly Member[] {
  const fitting = data.tables.filter(({ columns }) => {
    const words = columns.map(wordsOfName)
    return (
      fields.length >= 2 &&
      fields.every(({ name, title }) => words.includes(wordsOfName(name)) || words.includes(wordsOfName(title)))
    )
  })
  if (fitting.length !== 1) return []
  const { columns, rows, source } = fitting[0]!
  const words = columns.map(wordsOfName)
  return rows.map((row) => ({
    leaves: Object.fromEntries(
      fields.flatMap(({ name, title }) => {
        const place = words.findIndex((word) => word === wordsOfName(name) || word === wordsOfName(title))
        const value = row[place]
        return value ? [[name, { value, source }]] : []
      }),
    ),
  }))
}
