// How a request gets the next page of a list.
import type { Json } from '@harvestman/ports'
import { parseJson } from '@harvestman/toolbox/parse-json'

import { valueAt, visitJson } from './json-path.ts'
import type { Paging, Place, RecipeRequest } from './recipe.ts'
import { requestValue, valuesOf, withRequestValue } from './requests.ts'

/** What `pagingOf` needs. */
export interface PagingInput {
  readonly request: RecipeRequest
  readonly response: PagedResponse
  /** Number of items in the response. */
  readonly count: number
  /** Another request of the page to the same endpoint. */
  readonly later: RecipeRequest | undefined
}

/** A response, as far as it matters for paging. */
export interface PagedResponse {
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

const pageName = /^(?:page|p|pg|page_?(?:no|num|number|index)|pagenumber)$/i
const offsetName = /^(?:offset|skip|start|from|first_?result)$/i
const cursorName = /cursor|after|continuation|next_?token|page_?token|marker/i
const nextName = /^(?:next|next_?(?:url|link|page_?url|href)|@odata\.nextlink)$/i
const cursorNames = ['cursor', 'after']

/** Returns the ways in which a request may get the next page, the most probable first. Each must be tried. */
export function pagingOf({ request, response, count, later }: PagingInput): readonly Paging[] {
  const found: Paging[] = []
  if (nextLink(response.headers) !== undefined) found.push({ by: 'link' })
  const values = valuesOf(request)
  const json = jsonOf(response.text)
  for (const { at, value } of values) {
    const other = later && requestValue(later, at)
    const step = Number(other) - Number(value)
    if (isNumber(value) && isNumber(other) && Number.isInteger(step) && step > 0 && step <= 10_000)
      found.push({ by: 'number', at, step })
  }
  for (const path of pathsTo(json, nextName, (value) => typeof value === 'string' && /^(?:https?:\/)?\//.test(value)))
    found.push({ by: 'next', from: path })
  for (const from of pathsTo(json, cursorName, isCursor)) {
    const own = values.filter(({ at }) => cursorName.test(at.path.at(-1) ?? '')).map(({ at }) => at)
    const name =
      from
        .at(-1)
        ?.replace(/^next_?/i, '')
        .toLowerCase() ?? ''
    const added = [...new Set([name, ...cursorNames])].filter(Boolean).map((one) => newPlace(request, one))
    for (const at of own.length > 0 ? own : added) found.push({ by: 'cursor', at, from })
  }
  for (const { at, value } of values) {
    const name = at.path.at(-1) ?? ''
    if (isNumber(value) && pageName.test(name)) found.push({ by: 'number', at, step: 1 })
    if (isNumber(value) && offsetName.test(name)) found.push({ by: 'number', at, step: Math.max(1, count) })
  }
  return found.slice(0, maxWays)
}

const maxWays = 6
const maxPaths = 3

const isNumber = (value: Json | undefined): boolean =>
  (typeof value === 'number' && Number.isInteger(value)) || (typeof value === 'string' && /^\d{1,9}$/.test(value))
const isCursor = (value: Json): boolean =>
  (typeof value === 'string' && value !== '' && value.length <= 2_000) || typeof value === 'number'

function newPlace({ body }: RecipeRequest, name: string): Place {
  return { in: body?.as ?? 'query', path: [name] }
}

function pathsTo(json: Json | undefined, name: RegExp, fits: (value: Json) => boolean): string[][] {
  const found: string[][] = []
  if (json === undefined) return found
  visitJson(json, (value, path) => {
    // Items of the list have links and times of their own.
    const isInList = path.some((key) => /^\d+$/.test(key))
    if (found.length < maxPaths && !isInList && name.test(path.at(-1) ?? '') && fits(value)) found.push([...path])
  })
  return found
}

/** Returns the request for the next page, or `undefined` after the last one. Throws a `TypeError` for an invalid URL. */
export function nextRequest(
  request: RecipeRequest,
  paging: Paging,
  response: PagedResponse,
  used: { readonly first: RecipeRequest; readonly page: number },
): RecipeRequest | undefined {
  if (paging.by === 'number') {
    const first = requestValue(used.first, paging.at)
    const value = Number(first) + paging.step * used.page
    return withRequestValue(request, paging.at, typeof first === 'string' ? String(value) : value)
  }
  if (paging.by === 'cursor') {
    const cursor = valueAt(jsonOf(response.text), paging.from)
    return cursor === undefined || cursor === null || !isCursor(cursor)
      ? undefined
      : withRequestValue(request, paging.at, cursor)
  }
  const link = paging.by === 'link' ? nextLink(response.headers) : valueAt(jsonOf(response.text), paging.from)
  if (typeof link !== 'string' || link === '' || !URL.canParse(link, request.url)) return undefined
  const url = new URL(link, request.url)
  // Headers and tokens are for this host only.
  if (url.origin !== new URL(request.url).origin) return undefined
  const query = [...url.searchParams]
  url.search = ''
  return { ...request, url: url.href, query }
}

const jsonOf = (text: string): Json | undefined => parseJson(text) as Json | undefined

function nextLink(headers: ReadonlyMap<string, string>): string | undefined {
  const links = (headers.get('link') ?? '').slice(0, 4_000).split(/,\s*(?=<)/)
  const next = links.find((link) => /;\s*rel="?next"?/i.test(link))
  return next && /^\s*<([^>]+)>/.exec(next)?.[1]
}
