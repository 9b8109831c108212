import { detached } from '../tree/detached.ts'
import type { Element } from '../tree/tree.ts'
import { resolveUrl, type Base } from '../addresses/urls.ts'
import { readFacts, type Facts } from '../facts/facts.ts'
import { lineOf, textOf } from '../tree/walk.ts'

/** A metadata value: a string, or several. */
export type MetadataValue = string | readonly string[]

/** The metadata of a page, by name. */
export type Metadata = Readonly<Record<string, MetadataValue>>

// Metadata names in the HTTP API (http-v2, section 3.6), by the names that pages use.
const known: ReadonlyMap<string, string> = new Map([
  ['keywords', 'keywords'],
  ['robots', 'robots'],
  ['og:title', 'ogTitle'],
  ['og:description', 'ogDescription'],
  ['og:url', 'ogUrl'],
  ['og:image', 'ogImage'],
  ['og:audio', 'ogAudio'],
  ['og:determiner', 'ogDeterminer'],
  ['og:locale', 'ogLocale'],
  ['og:locale:alternate', 'ogLocaleAlternate'],
  ['og:site_name', 'ogSiteName'],
  ['og:video', 'ogVideo'],
  ['dcterms.created', 'dcTermsCreated'],
  ['dc.date.created', 'dcDateCreated'],
  ['dc.date', 'dcDate'],
  ['dcterms.type', 'dcTermsType'],
  ['dc.type', 'dcType'],
  ['dcterms.audience', 'dcTermsAudience'],
  ['dcterms.subject', 'dcTermsSubject'],
  ['dc.subject', 'dcSubject'],
  ['dc.description', 'dcDescription'],
  ['dcterms.keywords', 'dcTermsKeywords'],
  ['article:modified_time', 'modifiedTime'],
  ['article:published_time', 'publishedTime'],
  ['article:tag', 'articleTag'],
  ['article:section', 'articleSection'],
])
const urlKeys = new Set(['ogImage', 'ogAudio', 'ogVideo', 'ogUrl'])

// Keys that the engine sets itself. Pages must not be able to set them.
const reserved = new Set(
  (
    'title language favicon sourceURL url statusCode error contentType scrapeId timezone proxyUsed postprocessorsUsed ' +
    'indexId cacheState cachedAt creditsUsed concurrencyLimited concurrencyQueueDurationMs numPages totalPages __proto__'
  ).split(' '),
)

/** The only key that is always an array. */
const listKey = 'ogLocaleAlternate'
// Limits, as pages can repeat metadata without end.
const maxKeys = 500
const maxRepeats = 100

interface Found {
  readonly values: Map<string, string[]>
  readonly title: string
  readonly httpLanguage: string
  readonly icons: readonly Element[]
}

/**
 * Returns the metadata of a page, given all its elements. Of repeated known entries the first is used, descriptions are joined,
 * and other repeated entries become arrays of at most 100 values. Entries with names that the engine sets itself are skipped,
 * and so are those after the first 500 names.
 */
export function readMetadata(elements: readonly Element[], base: Base): Metadata {
  const { values, title, httpLanguage, icons } = readHead(elements)
  const first = (key: string): string | undefined => values.get(key)?.[0]
  const html = elements.find(({ name }) => name === 'html')?.attributes
  const metadata: Record<string, MetadataValue> = {}
  const setText = (key: string, candidates: readonly (string | undefined)[]): void => {
    const found = candidates.map((candidate) => lineOf(candidate ?? '')).find((candidate) => candidate !== '')
    if (found !== undefined) metadata[key] = found
  }
  setText('title', [title, first('ogTitle'), first('twitter:title'), title === '' ? firstHeading(elements) : ''])
  setText('description', [values.get('description')?.join(', '), first('ogDescription'), first('twitter:description')])
  setText('language', [html?.['lang'], html?.['xml:lang'], httpLanguage, first('ogLocale')?.replace('_', '-')])
  for (const [key, found] of values) {
    if (Object.hasOwn(metadata, key)) continue
    metadata[key] = urlKeys.has(key) ? (resolveUrl(found[0]!, base) ?? found[0]!) : asValue(key, found)
  }
  setFacts(metadata, readFacts(elements, base))
  const favicon = findFavicon(icons, base)
  if (favicon !== undefined) metadata['favicon'] = favicon
  return metadata
}

/** Sets the author, times and names. The title is unchanged. */
function setFacts(metadata: Record<string, MetadataValue>, facts: Facts): void {
  const { headline, authors, published, modified, siteName, language } = facts
  delete metadata['author']
  const [first, ...others] = authors.map(({ value }) => detached(value))
  if (first !== undefined) metadata['author'] = others.length > 0 ? [first, ...others] : first
  for (const [key, fact] of Object.entries({ headline, publishedTime: published, modifiedTime: modified, siteName })) {
    if (fact) metadata[key] = detached(fact.value)
  }
  if (language) metadata['language'] ??= detached(language.value)
}

function firstHeading(elements: readonly Element[]): string {
  const heading = elements.find(({ name }) => name === 'h1')
  return heading ? textOf(heading) : ''
}

function readHead(elements: readonly Element[]): Found {
  const values: Found['values'] = new Map()
  const icons: Element[] = []
  let title: string | undefined
  let httpLanguage = ''
  for (const element of elements) {
    const { name, attributes } = element
    if (name === 'meta') {
      addMeta(values, attributes)
      if (/^content-language$/i.test(attributes['http-equiv'] ?? '')) httpLanguage ||= attributes['content'] ?? ''
    } else if (name === 'title' && title === undefined && !isInDrawing(element)) title = lineOf(textOf(element))
    else if (name === 'link' && /\bicon\b/i.test(attributes['rel'] ?? '') && attributes['href']) icons.push(element)
  }
  return { values, title: title ?? '', httpLanguage: httpLanguage.split(',')[0]!, icons }
}

/** Returns whether this is the title of an SVG image, not of the page. */
function isInDrawing(element: Element): boolean {
  for (let at = element.parent; at; at = at.parent) if (at.name === 'svg') return true
  return false
}

function addMeta(values: Found['values'], attributes: Element['attributes']): void {
  const content = detached(attributes['content'] ?? '')
  const name = (attributes['name'] ?? attributes['property'] ?? attributes['itemprop'])?.trim()
  if (!name || !content) return
  const lower = name.toLowerCase()
  const key = known.get(lower) ?? (lower === 'description' ? lower : name)
  if (reserved.has(key)) return
  const before = values.get(key)
  if (!before) {
    if (values.size < maxKeys) values.set(detached(key), [content])
  } else if (isDescription(key) ? !before.includes(content) : !known.has(lower) || key === listKey) {
    if (before.length < maxRepeats) before.push(content)
  }
}

const isDescription = (key: string): boolean => /description/i.test(key)

// Descriptions are joined. Other entries are a string if they occur once, or else an array.
function asValue(key: string, found: readonly string[]): MetadataValue {
  if (key === listKey) return found
  if (isDescription(key)) return found.join(', ')
  return found.length === 1 ? found[0]! : found
}

function findFavicon(icons: readonly Element[], base: Base): string | undefined {
  const isPlain = ({ attributes }: Element): boolean => /^(?:shortcut )?icon$/i.test(attributes['rel']!.trim())
  const icon = icons.find(isPlain) ?? icons[0]
  return icon && resolveUrl(icon.attributes['href']!, base)
}
