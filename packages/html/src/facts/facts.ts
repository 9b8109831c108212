import type { Base } from '../addresses/urls.ts'
import { collectMarkup } from '../data/collect.ts'
import { locator, makeBuilder, type Locate } from '../data/builder.ts'
import { evidenceOf } from '../data/fill.ts'
import { isWebPage, mainItems, valuesAt } from '../data/items.ts'
import { findAuthorSpots, seenAuthor } from '../data/seen/author.ts'
import { dayInUrl, shownDays, type ShownDay } from '../data/seen/day.ts'
import { seenPageOf, type FindSpots } from '../data/seen/seen.ts'
import { findDatedSpots, type Range, type Sight } from '../data/seen/spots.ts'
import { localeOf } from '../data/locale.ts'
import { titleOf } from '../data/title.ts'
import type { DataItem, DataLeaf, DataSource, Evidence, PageData } from '../data/types.ts'
import type { Element } from '../tree/tree.ts'
import { authorsOf, peopleOf } from './authors.ts'
import { firstText, leavesOf, siteNameOf, type Fact, type Page } from './page.ts'
import { timeOf, type TimeReading } from './times.ts'

// Reads a page's headline, authors and dates from its markup, or else from the lines near the headline.

/** Headline, authors, dates, site and language of a page. Unknown ones are absent. */
export interface Facts {
  /** The title without the name of the site. */
  readonly headline?: Fact
  readonly authors: readonly Fact[]
  readonly published?: Fact
  readonly modified?: Fact
  readonly siteName?: Fact
  readonly language?: Fact
  readonly sources: readonly DataSource[]
}

/** Reads the facts of a page from all its elements. Missing facts are omitted. Sources have selectors only if `locate` is given. */
export function readFacts(elements: readonly Element[], base: Base, locate: Locate = () => nowhere): Facts {
  const sourceElements: Element[] = []
  const builder = makeBuilder(elements, (element) => {
    sourceElements.push(element)
    return locate(element)
  })
  const meta = collectMarkup(elements, base, builder)
  const { sources, items } = builder
  const none = { labelled: [], tables: [], state: [], prices: [], seen: [] }
  const data: PageData = { url: base.href, sources, items, meta, ...none }
  const page: Page = { data, elements, builder, main: mainOf(data), sourceElements }
  const language = languageOf(data)
  const reading = { language: localeOf(meta, base.href) }
  const headline = headlineOf(page)
  const siteName = siteNameOf(data)
  const marked = {
    authors: authorsOf(page),
    published: publishedOf(page, reading),
    modified: modifiedOf(page, reading),
    isShared: firstTime(leavesOf(data, openGraphTimes), reading) !== undefined,
  }
  const { authors, published, modified } = withSeen(marked, page)
  return {
    ...(headline && { headline }),
    authors,
    ...(published && { published }),
    ...(modified && { modified }),
    ...(siteName && { siteName }),
    ...(language && { language }),
    sources,
  }
}

const nowhere = { selector: '', position: 0 }

function mainOf(data: PageData): readonly DataItem[] {
  for (const family of ['article', 'thread', 'recipe'] as const) {
    const items = mainItems(data, family)
    if (items.length > 0) return items
  }
  return []
}

const textShape = { kind: 'scalar', type: 'string', format: '', allowed: undefined, minimum: 0, maximum: 0 } as const

function headlineOf({ data, main }: Page): Fact | undefined {
  const items = main.length > 0 ? main : mainItems(data, undefined)
  const found = titleOf(data, textShape, { items, isPage: true })
  return found && { value: String(found.value), leaf: found.leaf }
}

function languageOf(data: PageData): Fact | undefined {
  const declared = data.items.flatMap((item) => (item.isTop ? valuesAt(data, item, 'inLanguage') : []))
  return firstText([...leavesOf(data, ['language', 'content-language', 'og:locale']), ...declared])
}

// Times

const openGraphTimes = ['article:published_time', 'og:published_time', 'og:article:published_time']
const publishedMeta = [
  ...openGraphTimes,
  ...['article:published', 'datepublished'],
  ...['parsely-pub-date', 'sailthru.date', 'citation_publication_date', 'citation_online_date', 'citation_date'],
  ...[
    'date',
    'pubdate',
    'publishdate',
    'publish-date',
    'publish_date',
    'published-date',
    'published_date',
    'published',
  ],
  ...['publication_date', 'publication-date', 'dc.date.issued', 'dcterms.issued', 'dc.date', 'dcterms.date'],
  ...[
    'dcterms.created',
    'dc.date.created',
    'datecreated',
    'date_published',
    'article.published',
    'article_date_original',
  ],
  ...['originalpublicationdate', 'displaydate', 'cxenseparse:recs:publishtime', 'rnews:datepublished', 'bt:pubdate'],
  ...['prism.publicationdate', 'eprints.datestamp', 'release_date', 'article:publicationdate', 'published_at'],
  ...[
    'article:created',
    'created',
    'creation_date',
    'video:release_date',
    'shareaholic:article_published_time',
    'ptime',
    'ms.date',
  ],
]
const modifiedMeta = [
  ...[
    'article:modified_time',
    'og:updated_time',
    'og:modified_time',
    'article:modified',
    'datemodified',
    'last-modified',
  ],
  ...['dcterms.modified', 'dc.date.modified', 'lastmod', 'last_modified', 'updated_time', 'revised', 'date_modified'],
  ...['cxenseparse:recs:articlemodified', 'article:updated_time', 'updated', 'modified', 'lastupdated'],
]

function publishedOf(page: Page, reading: TimeReading): Fact | undefined {
  const { data, main } = page
  const pages = data.items.filter((item) => isWebPage(item) && item.isTop)
  const inItems = (items: readonly DataItem[], names: readonly string[]): readonly DataLeaf[] =>
    items.flatMap((item) => names.flatMap((name) => valuesAt(data, item, name)))
  return (
    firstTime(leavesOf(data, publishedMeta.slice(0, 1)), reading) ??
    firstTime(inItems(main, ['datePublished', 'dateCreated', 'uploadDate']), reading) ??
    firstTime(leavesOf(data, publishedMeta), reading) ??
    firstTime(inItems(pages, ['datePublished']), reading)
  )
}

function modifiedOf({ data, main }: Page, reading: TimeReading): Fact | undefined {
  const pages = data.items.filter((item) => isWebPage(item) && item.isTop)
  return (
    firstTime(leavesOf(data, modifiedMeta.slice(0, 1)), reading) ??
    firstTime(
      [...main, ...pages].flatMap((item) => valuesAt(data, item, 'dateModified')),
      reading,
    ) ??
    firstTime(leavesOf(data, modifiedMeta), reading)
  )
}

function firstTime(leaves: readonly DataLeaf[], reading: TimeReading): Fact | undefined {
  for (const leaf of leaves) {
    const value = timeOf(String(leaf.value), reading)
    if (value !== undefined) return { value, leaf }
  }
  return undefined
}

/** Numbers of elements before and after the headline. Far away, a line counts only if names or words mark it. */
const around = { before: 30, after: 80 }
const farAround = { before: 40, after: 400 }

function rangeOf(heading: number | undefined, { before, after }: typeof around): Range {
  const at = heading ?? before
  return { from: at - before, to: at + after }
}

interface Marked {
  readonly authors: readonly Fact[]
  readonly published: Fact | undefined
  readonly modified: Fact | undefined
  /** Whether the Open Graph tags, which are written for people who share the page, have the publication. */
  readonly isShared: boolean
}

/**
 * Adds missing authors and dates from the visible lines near the headline. The publication day that the page shows
 * replaces a different one in its markup, which is often that of the import, or in another time zone.
 */
function withSeen(marked: Marked, page: Page): Omit<Marked, 'isShared'> {
  const { data, elements, builder } = page
  const findDays: FindSpots = (heading) =>
    findDatedSpots(elements, rangeOf(heading, heading === undefined ? around : farAround))
  const dated = seenPageOf({ elements, meta: data.meta, url: data.url, findSpots: findDays }, builder.items)
  const factOf = (sight: Sight | undefined): Fact | undefined => {
    const source = sight && builder.sourceOf(sight.element, 'seen')
    if (!sight || source === undefined) return undefined
    const { value, confidence, words } = sight
    return { value, leaf: { value, source, confidence, ...(words !== undefined && { quote: words }) } }
  }
  const isMissing = marked.authors.length === 0
  const author = isMissing
    ? factOf(seenAuthor({ ...dated, spots: findAuthorSpots(elements, rangeOf(dated.heading, around)) }))
    : undefined
  const shown = shownDays(dated)
  return {
    authors: author ? peopleOf(page, [author.leaf]) : marked.authors,
    published: publishedWith(shown.published, marked) ?? factOf(shown.published ?? dayInUrl(dated)) ?? marked.published,
    modified: marked.modified ?? factOf(shown.changed),
  }
}

/**
 * Returns the marked publication, unless the page clearly shows another day, or shows one and the markup contradicts itself
 * with a change before the publication. A day without a label that is that of the last change replaces it only if nothing
 * but the structured data has the publication: the page then shows no other day for itself, as after it was published again.
 */
function publishedWith(shown: ShownDay | undefined, { published, modified, isShared }: Marked): Fact | undefined {
  if (!published || !shown) return published
  const isDayOf = (fact: Fact | undefined): boolean => fact?.value.startsWith(shown.value) ?? false
  if (isDayOf(published)) return published
  if (modified && isDayOf(modified) && isLater(modified, published) && !shown.isLabelled)
    return isShared ? published : undefined
  if (isDayInUtc(published, shown.value)) return undefined
  const isContradicted = modified !== undefined && isLater(published, modified)
  return isContradicted || shown.confidence >= minConfidence ? undefined : published
}

/** Minimum confidence of a shown day that replaces a marked one. */
const minConfidence = 0.8
/** Returns whether a time is on this day in UTC, in which some pages show it. */
function isDayInUtc({ value }: Fact, day: string): boolean {
  const time = Date.parse(value)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

const halfDay = 12 * 60 * 60 * 1000

/** Returns whether a time is more than half a day after another one. */
const isLater = (time: Fact, other: Fact): boolean => Date.parse(time.value) - Date.parse(other.value) > halfDay

/** The facts by metadata name, and the evidence for each. */
export interface SourcedFacts {
  readonly values: Readonly<Record<string, string | readonly string[]>>
  readonly evidence: Readonly<Record<string, Evidence | readonly Evidence[]>>
}

/** Reads the facts of a page, each with where it was found. Missing facts are omitted. */
export function readSourcedFacts(elements: readonly Element[], base: Base): SourcedFacts {
  const { sources, authors, ...single } = readFacts(elements, base, locator(elements))
  const { headline, published: publishedTime, modified: modifiedTime, siteName, language } = single
  const values: Record<string, string | readonly string[]> = {}
  const evidence: Record<string, Evidence | readonly Evidence[]> = {}
  for (const [name, fact] of Object.entries({ headline, publishedTime, modifiedTime, siteName, language })) {
    if (!fact) continue
    values[name] = fact.value
    evidence[name] = evidenceOf(sources, fact.leaf)
  }
  if (authors.length > 0) {
    values['author'] = authors.map(({ value }) => value)
    evidence['author'] = authors.map(({ leaf }) => evidenceOf(sources, leaf))
  }
  return { values, evidence }
}
