// Runs a recipe: requests over HTTP only, and items that fit the schema.
import { findMisfits, misfitsMessage } from '@harvestman/json-schema'
import { EngineError, publicMessage } from '@harvestman/ports'

import { readItems } from './items.ts'
import { nextRequest } from './paging.ts'
import { fillRequest } from './requests.ts'
import { limits, type Item, type Recipe, type Token } from './recipe.ts'
import type { Received, Sender } from './sending.ts'
import { decoded, tokenIn } from './tokens.ts'

/** The result of a run, or the reason why the recipe no longer works. */
export type Run = FullRun | { readonly failure: string }

interface FullRun {
  readonly items: readonly Item[]
  readonly pages: number
  /** Why the pages after these were not read. */
  readonly incomplete?: string
}

/**
 * Requests at most `maxPages` pages of the list behind a page. Rejects if a rule forbids a request, or the host cannot be
 * reached.
 */
export async function runRecipe(recipe: Recipe, page: URL, maxPages: number, sender: Sender): Promise<Run> {
  const values = await valuesFor(recipe, page, sender)
  if ('failure' in values) return values
  const first = fillRequest(recipe.request, values.known)
  const items: Item[] = []
  let request = first
  let pages = 0
  for (;;) {
    const response = await sender.send(request)
    const read = readPage(recipe, response, items.length > 0)
    if ('failure' in read && pages > 0) return { items, pages, incomplete: `Page ${pages + 1}: ${read.failure}` }
    if ('failure' in read) return read
    const isRepeated = pages > 0 && JSON.stringify(read.items) === JSON.stringify(items.slice(-read.items.length))
    if (isRepeated || (pages > 0 && read.items.length === 0)) break
    items.push(...read.items)
    pages += 1
    if (!recipe.paging || pages >= maxPages || items.length >= limits.items) break
    const next = nextRequest(request, recipe.paging, response, { first, page: pages })
    if (!next) break
    request = next
  }
  return { items: items.slice(0, limits.items), pages }
}

function readPage(
  { items: source, schema }: Recipe,
  { status, text }: Received,
  mayBeEmpty: boolean,
): { readonly items: readonly Item[] } | { readonly failure: string } {
  if (status !== 200) return { failure: `The response has status ${status}.` }
  const items = readItems(text, source)
  if (!items) return { failure: 'The response does not contain the list.' }
  if (items.length === 0 && !mayBeEmpty) return { failure: 'The list in the response is empty.' }
  const misfits = findMisfits(items, { type: 'array', items: schema })
  return misfits.length > 0 ? { failure: `An item has changed. ${misfitsMessage(misfits.slice(0, 3))}` } : { items }
}

/** Requests the page and the origins of tokens, and returns the values for the request. */
async function valuesFor(
  recipe: Recipe,
  page: URL,
  sender: Sender,
): Promise<{ readonly known: ReadonlyMap<string, string> } | { readonly failure: string }> {
  const known = new Map(recipe.parameters.map((name) => [`page.${name}`, page.searchParams.get(name) ?? '']))
  const get = (url: string): Promise<Received> => sender.send({ method: 'GET', url, query: [], headers: {} })
  const start = recipe.visitsPage ? await get(page.href) : undefined
  if (start && start.status !== 200) return { failure: `The page has status ${start.status}.` }
  const texts = new Map<string, string>()
  for (const { name, from } of recipe.tokens) {
    if (from.in === 'response' && !texts.has(from.url)) texts.set(from.url, (await get(from.url)).text)
    const value = tokenValue(from, page, start?.text ?? '', texts, sender)
    if (value === undefined) return { failure: `The value of ${name} was not found in its origin (${from.in}).` }
    known.set(name, value)
  }
  return { known }
}

function tokenValue(
  from: Token['from'],
  page: URL,
  start: string,
  texts: ReadonlyMap<string, string>,
  sender: Sender,
): string | undefined {
  if (from.in === 'page') return tokenIn(start, from)
  if (from.in === 'response') return tokenIn(texts.get(from.url) ?? '', from)
  const value = sender.cookie(page.href, from.name)
  return value === undefined ? undefined : decoded(value)
}

const denials = new Set(['policy_denied', 'unsafe_domain_blocked'])
const endings = new Set([...denials, 'aborted', 'timeout'])

/** Returns whether a policy or a list of threats forbids a request. Nothing else may be tried instead. */
export function isDenial(error: unknown): error is EngineError {
  return EngineError.is(error) && denials.has(error.code)
}

/**
 * Runs a recipe like `runRecipe`, with failures of hosts, of the guard and of robots.txt as failures of the recipe. Rejects if
 * aborted, or if a policy denies a request.
 */
export async function tryRecipe(recipe: Recipe, page: URL, maxPages: number, sender: Sender): Promise<Run> {
  try {
    return await runRecipe(recipe, page, maxPages, sender)
  } catch (error) {
    if (!EngineError.is(error) || endings.has(error.code)) throw error
    return { failure: publicMessage(error) }
  }
}
