import { isWebPage, metaOf, nameOf, plainName, valuesAt } from '../data/items.ts'
import { isSite } from '../data/title.ts'
import type { DataItem, DataLeaf, PageData } from '../data/types.ts'
import { cleanText } from '../data/values.ts'
import type { Element } from '../tree/tree.ts'
import { leavesOf, siteNameOf, type Fact, type Page } from './page.ts'
import { inOrder, isAgency, isFullName, peopleIn } from './people.ts'

// Reads the authors of a page from its markup.

const authorMeta = [
  ...['author', 'article:author', 'parsely-author'],
  ...['sailthru.author', 'byl', 'byline', 'authors', 'article.author', 'article_author', 'og:author', 'book:author'],
  ...['cxenseparse:author', 'rbauthors', 'vr:author', 'article:author_name', 'article:author:name', 'creator'],
]
const catalogueMeta = ['citation_author', 'dc.creator', 'dcterms.creator', 'dc.contributor']

/** Returns the authors that the markup names, from the first place that names any. Empty if there is none. */
export function authorsOf(page: Page): readonly Fact[] {
  const { data, main } = page
  const pages = data.items.filter((item) => isWebPage(item) && item.isTop)
  const candidates = [
    ...[...main, ...pages].map((item) => creatorsOf(data, item)),
    ...authorMeta.map((name) => leavesOf(data, [name])),
    ...catalogueMeta.map((name) => leavesOf(data, [name]).map(turned)),
    labelledBy(data),
  ]
  for (const leaves of candidates) {
    const people = peopleOf(page, leaves)
    if (people.length > 0) return people
  }
  return []
}

const turned = (leaf: DataLeaf): DataLeaf => ({ ...leaf, value: inOrder(String(leaf.value)) })

function creatorsOf(data: PageData, item: DataItem): readonly DataLeaf[] {
  for (const property of ['author', 'creator']) {
    const leaves = (item.properties[property] ?? []).flatMap((entry) => {
      if ('value' in entry) return [entry]
      const inner = data.items[entry.item]!
      return valuesAt(data, inner, 'name')
    })
    if (leaves.length > 0) return leaves
  }
  return []
}

/** Returns the author in Twitter card tags, which pages label "Written by" or similar. */
function labelledBy(data: PageData): readonly DataLeaf[] {
  for (const number of [1, 2]) {
    const [label = ''] = metaOf(data, `twitter:label${number}`)
    if (
      /^(?:written|posted|published)?\s*by$|^(?:author|autor|auteur|verfasst von|geschrieben von|écrit par|escrito por|scritto da|geschreven door|автор|skrevet av|skriven av|napisane przez|yazan)/iu.test(
        label,
      )
    ) {
      return leavesOf(data, [`twitter:data${number}`])
    }
  }
  return []
}

/**
 * Returns the distinct people in these values, without the site itself and without names in figures. News agencies count only
 * if there are no people.
 */
export function peopleOf({ data, sourceElements }: Page, leaves: readonly DataLeaf[]): readonly Fact[] {
  const found = new Map<string, Fact>()
  for (const leaf of leaves) {
    if (isInFigure(sourceElements[leaf.source])) continue
    for (const value of peopleIn(cleanText(String(leaf.value)))) {
      const key = value.toLowerCase()
      if (!found.has(key) && !isOfSite(data, value)) found.set(key, { value, leaf })
    }
  }
  const people = [...found.values()]
  const persons = people.filter(({ value }) => !isAgency(value))
  return persons.length > 0 ? persons : people
}

/** A site name with more words than this is not a person's name. */
const maxPersonWords = 3

/** Returns whether a name is the site's and not also a person's, as Jane Doe's on jane-doe.com. */
function isOfSite(data: PageData, name: string): boolean {
  if (!isSite(data, name)) return false
  const isSame = plainName(siteNameOf(data)?.value ?? '') === plainName(name)
  if (isPerson(data, name)) return isSame && !isFullName(name)
  return isSame || !isFullName(name) || name.split(' ').length > maxPersonWords
}

/** Returns whether the structured data has a `Person` with this name. */
function isPerson({ items }: PageData, name: string): boolean {
  return items.some((item) => item.types.includes('Person') && plainName(nameOf(item) ?? '') === plainName(name))
}

/** Returns whether the element is in a figure, where a name is usually the photographer's. */
function isInFigure(element: Element | undefined): boolean {
  for (let at = element; at; at = at.parent ?? undefined)
    if (at.name === 'figure' || at.name === 'figcaption') return true
  return false
}
