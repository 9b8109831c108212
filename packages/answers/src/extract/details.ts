// Additional results of an extract: invalid URLs, sources, a trace of its pages and warnings.
import type { AnswerStatus, Claim, PageValue, VisitOutcome } from '@harvestman/core/plugin'
import { listLeafValues } from '@harvestman/core/plugin'
import { findMisfits, misfitsMessage } from '@harvestman/json-schema'
import type { Json } from '@harvestman/ports'
import { z } from 'zod'

import { claims } from '../claims.ts'
import { findInvalidUrls } from './pages.ts'
import type { ExtractRequest } from './request.ts'

const tracedUrl = z.object({
  url: z.string(),
  status: z.enum(['scraped', 'error']),
  statusCode: z.int().optional(),
  error: z.string().optional(),
  usedInCompletion: z.boolean(),
})

export const extractDetails = z.object({
  invalidURLs: z.array(z.string()).describe('The addresses of the request that are none.'),
  sources: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe('For each field, the pages it is from; with `showSources`.'),
  urlTrace: z.array(tracedUrl).optional().describe('What came of each page; with `urlTrace`.'),
  warning: z.string().optional().describe('What is odd about the value.'),
  claims,
})

/** The stored value of a page. */
export interface ExtractedPage {
  readonly data: Json
  readonly claims: readonly Claim[]
}

export type ExtractDetails = z.output<typeof extractDetails>

/**
 * Returns the details in the status of an extract: invalid URLs, warnings, the sources of each field (with `showSources`, once
 * completed) and the trace of the pages (with `urlTrace`, once ended). A completed extract whose data does not fit the schema
 * gets a warning and does not fail.
 */
export function extractDetailsOf(
  pages: readonly VisitOutcome<ExtractedPage>[],
  request: ExtractRequest,
  status: AnswerStatus<unknown>,
): ExtractDetails {
  const { schema, showSources, urlTrace, urls } = request
  const isDone = status.status === 'completed'
  // Cast: the value of an extract is JSON.
  const misfits = isDone && schema ? findMisfits(status.data as Json, schema) : []
  const odd = `The pages do not have all values that the schema requires. ${misfitsMessage(misfits)}`
  const warnings = [status.warning, misfits.length > 0 ? odd : undefined].filter((one) => one !== undefined)
  return {
    invalidURLs: [...findInvalidUrls(urls)],
    ...(isDone && showSources && { sources: sourcesOf(pages.filter(isRead)) }),
    ...(status.status !== 'processing' && urlTrace && { urlTrace: pages.map(traced) }),
    ...(isDone && { claims: claimsOf(status.data as Json, pages.filter(isRead)) }),
    ...(warnings.length > 0 && { warning: warnings.join(' ') }),
  }
}

function isRead(page: VisitOutcome<ExtractedPage>): page is PageValue<ExtractedPage> {
  return !('error' in page)
}

function traced(page: VisitOutcome<ExtractedPage>): z.output<typeof tracedUrl> {
  const { url } = page
  if (!isRead(page)) return { url, status: 'error', error: page.error, usedInCompletion: false }
  return { url, status: 'scraped', statusCode: page.statusCode, usedInCompletion: hasValue(page) }
}

/** Returns whether a page has a value, that is, neither `undefined` nor `null`. Empty strings and lists count as values. */
export function hasValue({ value: { data } }: PageValue<ExtractedPage>): boolean {
  return data !== undefined && data !== null
}

/**
 * Returns, for each field, the URLs of the pages that have a non-empty value for it. Pages whose value is not an object are
 * skipped.
 */
export function sourcesOf(pages: readonly PageValue<ExtractedPage>[]): Record<string, string[]> {
  const sources: Record<string, string[]> = {}
  for (const {
    url,
    value: { data: value },
  } of pages) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
    for (const [name, part] of Object.entries(value)) {
      const isThere = part !== null && part !== undefined && part !== '' && !(Array.isArray(part) && part.length === 0)
      if (isThere) (sources[name] ??= []).push(url)
    }
  }
  return sources
}

const maxClaims = 500
// Pages with the same value in the same field, among which the page of an item is searched.
const maxCandidates = 50

/** A cited value on a page, with the item of a list that it is in. */
interface Candidate {
  readonly citations: Claim['citations']
  /** The fields and values of the item. */
  readonly item: ReadonlySet<string>
}

/**
 * Returns the claims of the merged data. A value is cited from the page that has it in the same field, wherever it is in the lists
 * of that page. Of several, the first one whose item has most of the other values.
 */
function claimsOf(data: Json, pages: readonly PageValue<ExtractedPage>[]): Claim[] {
  const candidates = new Map<string, Candidate[]>()
  for (const { value } of pages) {
    const items = itemsOf(value.claims.map(({ claim, pointer = '' }) => [pointer, claim]))
    for (const { claim, pointer = '', citations } of value.claims) {
      const key = keyOf(pointer, claim)
      const known = candidates.get(key) ?? []
      if (citations.length === 0 || known.length >= maxCandidates) continue
      candidates.set(key, [...known, { citations, item: items.get(itemOf(pointer)) ?? new Set() }])
    }
  }
  const leaves = listLeafValues(data).slice(0, maxClaims)
  const items = itemsOf(leaves)
  return leaves.flatMap(([pointer, value]) => {
    if (typeof value === 'object') return []
    const own = items.get(itemOf(pointer)) ?? new Set()
    const shared = ({ item }: Candidate): number => [...item].filter((key) => own.has(key)).length
    const [first, ...others] = candidates.get(keyOf(pointer, value)) ?? []
    const best = first && others.reduce((found, one) => (shared(one) > shared(found) ? one : found), first)
    return [{ claim: value, pointer, citations: best?.citations ?? [] }]
  })
}

/** Returns the fields and values of each item, by the pointer of the item. */
function itemsOf(
  leaves: readonly (readonly [pointer: string, value: Json])[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const items = Map.groupBy(leaves, ([pointer]) => itemOf(pointer))
  return new Map([...items].map(([item, own]) => [item, new Set(own.map(([pointer, value]) => keyOf(pointer, value)))]))
}

/** Returns the pointer up to the last index, or an empty string outside of lists. */
function itemOf(pointer: string): string {
  return /^.*\/\d+(?=\/|$)/.exec(pointer)?.[0] ?? ''
}

function keyOf(pointer: string, value: Json): string {
  return `${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')} ${JSON.stringify(value)}`
}
