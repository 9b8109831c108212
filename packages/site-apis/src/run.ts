// Runs a recipe: requests over HTTP only, and items that fit the schema.
import { EngineError, publicMessage } from '@harvestman/ports'

import type { PageInput, ReadPage } from './read-page.ts'
import { fillRequest } from './requests.ts'
import { limits, type Item, type Recipe } from './recipe.ts'
import type { Received, Sender } from './sending.ts'
import { decoded } from './tokens.ts'
import type { Work } from './work.ts'

/** The result of a run, or the reason why there is none. */
export type Run = FullRun | Failure

interface Failure {
  readonly failure: string
  /** The recipe may work again: the host is overloaded or cannot be reached. */
  readonly isTemporary?: boolean
}

interface FullRun {
  readonly items: readonly Item[]
  readonly pages: number
  /** Why the pages after these were not read. */
  readonly incomplete?: string
}

/** Sends the requests of a recipe, and reads the responses. */
export interface RunKit {
  readonly sender: Sender
  readonly work: Work
}

/**
 * Requests at most `maxPages` pages of the list behind a page. Rejects if a rule forbids a request, or the host cannot be
 * reached.
 */
async function runRecipe(recipe: Recipe, page: URL, maxPages: number, kit: RunKit): Promise<Run> {
  const values = await valuesFor(recipe, page, kit)
  if ('failure' in values) return values
  const first = fillRequest(recipe.request, values.known)
  const items: Item[] = []
  let request = first
  let pages = 0
  for (;;) {
    const read = await requestPage(recipe, { request, first, before: pages }, kit).catch(failureOf)
    if ('failure' in read && pages > 0) return { items, pages, incomplete: `Page ${pages + 1}: ${read.failure}` }
    if ('failure' in read) return read
    const isRepeated = pages > 0 && JSON.stringify(read.items) === JSON.stringify(items.slice(-read.items.length))
    if (isRepeated || (pages > 0 && read.items.length === 0)) break
    items.push(...read.items)
    pages += 1
    if (!read.next || pages >= maxPages || items.length >= limits.items) break
    request = read.next
  }
  return { items: items.slice(0, limits.items), pages }
}

async function requestPage(
  { items, schema, paging }: Recipe,
  page: Pick<PageInput, 'request' | 'first' | 'before'>,
  { sender, work }: RunKit,
): Promise<ReadPage | Failure> {
  const { status, headers, text } = await sender.send(page.request)
  if (status !== 200) return failureOfStatus('The response', status)
  const recipe = { items, schema, ...(paging && { paging }) }
  return await work('readPage', { recipe, response: { headers, text }, ...page })
}

/** Requests the page and the origins of tokens, and returns the values for the request. */
async function valuesFor(
  recipe: Recipe,
  page: URL,
  { sender, work }: RunKit,
): Promise<{ readonly known: ReadonlyMap<string, string> } | Failure> {
  const known = new Map(recipe.parameters.map((name) => [`page.${name}`, page.searchParams.get(name) ?? '']))
  const get = (url: string): Promise<Received> => sender.send({ method: 'GET', url, query: [], headers: {} })
  const { document } = recipe
  const start = recipe.visitsPage
    ? await sender.send(
        fillRequest({ method: 'GET', ...(document ?? { url: page.href, query: [] }), headers: {} }, known),
      )
    : undefined
  if (start && start.status !== 200) return failureOfStatus('The page', start.status)
  const texts = new Map<string, string>()
  for (const { name, from } of recipe.tokens) {
    if (from.in === 'response' && !texts.has(from.url)) {
      const { status, text } = await get(from.url)
      if (status !== 200) return failureOfStatus(`The origin of ${name}`, status)
      texts.set(from.url, text)
    }
    const text = from.in === 'page' ? start?.text : from.in === 'response' ? texts.get(from.url) : undefined
    const value =
      from.in === 'cookie'
        ? cookieOf(document?.url ?? page.href, from.name, sender)
        : await work('findToken', { text: text ?? '', place: from })
    if (value === undefined) return { failure: `The value of ${name} was not found in its origin (${from.in}).` }
    known.set(name, value)
  }
  return { known }
}

function cookieOf(url: string, name: string, sender: Sender): string | undefined {
  const value = sender.cookie(url, name)
  return value === undefined ? undefined : decoded(value)
}

const temporaryStatuses = new Set([408, 429])
const temporaryErrors = new Set(['connection_failed', 'dns_failed', 'proxy_budget_exceeded'])

function failureOfStatus(what: string, status: number): Failure {
  const isTemporary = status >= 500 || temporaryStatuses.has(status)
  return { failure: `${what} has status ${status}.`, ...(isTemporary && { isTemporary }) }
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
export async function tryRecipe(recipe: Recipe, page: URL, maxPages: number, kit: RunKit): Promise<Run> {
  return await runRecipe(recipe, page, maxPages, kit).catch(failureOf)
}

function failureOf(error: unknown): Failure {
  if (!EngineError.is(error) || endings.has(error.code)) throw error
  return { failure: publicMessage(error), ...(temporaryErrors.has(error.code) && { isTemporary: true }) }
}
