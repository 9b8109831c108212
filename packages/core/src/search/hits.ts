// Search results. They come from outside and are not trusted.
import { parseWebUrl } from '@harvestman/net/request'
import { isRecord, type SearchCitation, type SearchHit, type SearchQuery } from '@harvestman/ports'
import type { SearchRequest } from '../schema/search.ts'
import type { ThreatRules } from '../threats/rules.ts'
import { categoryOf, matchesQuery } from './wanted.ts'

/** A page found by a search. */
export interface WebResult {
  readonly url: string
  readonly title: string
  readonly description: string
  /** Position in the list, starting at 1. */
  readonly position: number
  readonly category?: string
  /** Where the passage of `description` is in the page. Only from an index of scraped pages. */
  readonly citation?: SearchCitation
}

/** A news article found by a search. */
export interface NewsResult {
  readonly url: string
  readonly title: string
  readonly snippet: string
  readonly position: number
  readonly date?: string
  readonly imageUrl?: string
  readonly category?: string
}

/** An image found by a search. */
export interface ImageResult {
  readonly title: string
  readonly imageUrl: string
  /** Page that contains the image. */
  readonly url: string
  readonly position: number
  readonly imageWidth?: number
  readonly imageHeight?: number
}

const longest = { title: 1_000, text: 5_000, date: 100, id: 200 }
// Maximum number of hits read, in case a search returns endless hits.
const maxHitsRead = 1_000

/**
 * Returns the valid, wanted and distinct hits among the first 1,000 that are not blocked, up to the limit and up to `maxPerHost`
 * of each host. Credentials are removed from their URLs.
 */
export function takeHits(
  hits: readonly SearchHit[],
  query: SearchQuery,
  { limit, maxPerHost = Infinity }: Pick<SearchRequest, 'limit' | 'maxPerHost'>,
  threats: ThreatRules | undefined,
): readonly SearchHit[] {
  const seen = new Set<string>()
  const counts = new Map<string, number>()
  const taken: SearchHit[] = []
  for (const hit of hits.slice(0, maxHitsRead)) {
    if (taken.length >= limit) break
    const url = typeof hit?.url === 'string' ? parseWebUrl(hit.url).url : undefined
    if (!url || seen.has(url.href) || !matchesQuery(url, query)) continue
    if (threats?.find(url) || isBlockedImage(hit, query, threats)) continue
    const count = counts.get(url.host) ?? 0
    if (count >= maxPerHost) continue
    counts.set(url.host, count + 1)
    url.username = ''
    url.password = ''
    seen.add(url.href)
    taken.push({ ...hit, url: url.href })
  }
  return taken
}

function isBlockedImage({ imageUrl }: SearchHit, { source }: SearchQuery, threats: ThreatRules | undefined): boolean {
  const image = source === 'images' && threats ? addressIn(imageUrl) : undefined
  return image !== undefined && threats?.find(new URL(image)) !== undefined
}

/**
 * Converts a hit to a web result, with at most 1,000 characters of its title and 5,000 of its text. `at` is its index in the
 * list, from 0. Absent strings are empty.
 */
export function webResult({ url, title, description, ...hit }: SearchHit, at: number, query: SearchQuery): WebResult {
  const citation = citationIn(hit.citation)
  const category = categoryOf(new URL(url), query.categories)?.name
  return {
    url,
    title: cut(title, longest.title),
    description: cut(description, longest.text),
    position: at + 1,
    ...(category !== undefined && { category }),
    ...(citation && { citation }),
  }
}

/**
 * Converts a hit to a news result, with at most 1,000 characters of its title and 5,000 of its text. `at` is its index in the
 * list, from 0. An absent date or image is omitted.
 */
export function newsResult(hit: SearchHit, at: number, query: SearchQuery): NewsResult {
  const { description, citation: _, ...rest } = webResult(hit, at, query)
  const imageUrl = addressIn(hit.imageUrl)
  const date = cut(hit.date, longest.date)
  return { ...rest, snippet: description, ...(date !== '' && { date }), ...(imageUrl !== undefined && { imageUrl }) }
}

/**
 * Converts a hit to an image result, with at most 1,000 characters of its title. Returns `undefined` if the hit has no image.
 * `at` is its index in the list, from 0.
 */
export function imageResult(hit: SearchHit, at: number): ImageResult | undefined {
  const imageUrl = addressIn(hit.imageUrl)
  if (imageUrl === undefined) return undefined
  const { imageWidth, imageHeight } = hit
  return {
    title: cut(hit.title, longest.title),
    imageUrl,
    url: hit.url,
    position: at + 1,
    ...(isSize(imageWidth) && { imageWidth }),
    ...(isSize(imageHeight) && { imageHeight }),
  }
}

/** Returns a valid citation, or `undefined`. */
function citationIn(value: unknown): SearchCitation | undefined {
  if (!isRecord(value)) return undefined
  const { chunk, hash, start, end } = value
  const link = addressIn(value['link'])
  const isValid = isOffset(start) && isOffset(end) && isShort(chunk) && isShort(hash)
  return isValid && link !== undefined ? { link, chunk, start, end, hash } : undefined
}

function isOffset(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longest.id
}

function addressIn(text: unknown): string | undefined {
  return typeof text === 'string' ? parseWebUrl(text).url?.href : undefined
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}

function cut(text: unknown, most: number): string {
  return typeof text === 'string'
    ? text
        .slice(0, most * 2)
        .replaceAll(/\s+/g, ' ')
        .trim()
        .slice(0, most)
    : ''
}
