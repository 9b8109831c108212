// Finds the request behind the list that a page shows, and the smallest request that returns it without a browser.
import { isSameSite } from '@harvestman/core/plugin'
import { EngineError, publicMessage } from '@harvestman/ports'

import { isDocument, isHtml, type Exchange } from './exchanges.ts'
import type { FoundList, SearchInput } from './items.ts'
import { limits, recipeProblem, type Item, type Paging, type Recipe, type RecipeRequest } from './recipe.ts'
import { isReading, mayChange, templateOf } from './requests.ts'
import { isDenial, tryRecipe } from './run.ts'
import { schemaOf } from './schema-of.ts'
import type { Sender } from './sending.ts'
import { decoded, hasSecretInPath, hasSecretInQuery } from './tokens.ts'
import { isSameValue, type Draft } from './drafts.ts'
import type { Work } from './work.ts'

/** A request that contains the list, and why there is no recipe for it. */
export interface Refusal {
  readonly url: string
  readonly reason: string
}

/** The result of learning. */
export interface Lesson {
  readonly learned?: { readonly recipe: Recipe; readonly items: readonly Item[] }
  readonly refused: readonly Refusal[]
}

/** What to learn from. */
export interface LessonInput {
  readonly url: URL
  readonly exchanges: readonly Exchange[]
  /** The visible characters of the page. */
  readonly shown: string
  /** The cookies that scripts of the page can read. */
  readonly cookies: string
  /** Placeholder of redacted secrets in the exchanges. Absent if nothing is redacted. */
  readonly redacted?: string | undefined
  /** Whether POST requests that may change data may be repeated. */
  readonly repeatPosts: boolean
  /** Creates a sender without cookies. */
  readonly makeSender: (max: number) => Sender
  readonly work: Work
}

type SearchIn = Pick<LessonInput, 'exchanges' | 'shown' | 'work'>

interface Candidate {
  readonly exchange: Exchange
  readonly list: FoundList
}

const maxSearched = 60

/**
 * Learns a recipe: tries at most 3 responses that contain the list, with at most 40 requests. Responses that take too much time
 * or memory are refused.
 */
export async function learnRecipe(input: LessonInput): Promise<Lesson> {
  const { url, exchanges } = input
  const page = documentIn(exchanges)
  if (!page) return { refused: [{ url: withoutQuery(url.href), reason: 'The document of the page was not received.' }] }
  const refused: Refusal[] = []
  const trials: Trials = { ...input, left: limits.trials }
  const candidates = await candidatesOf(page, input).catch(reasonOfComplex)
  if ('reason' in candidates) return { refused: [{ url: withoutQuery(url.href), ...candidates }] }
  for (const candidate of candidates) {
    const result = await learnFrom(candidate, page, trials).catch(reasonOfComplex)
    if ('learned' in result) return { learned: result.learned, refused }
    refused.push({ url: shownUrl(candidate.exchange.url, url, input.redacted), reason: result.reason })
  }
  if (refused.length > 0) return { refused }
  const reason =
    'No response over HTTP contains the list that the page shows. It may come over a WebSocket, or scripts compute it.'
  return { refused: [{ url: withoutQuery(url.href), reason }] }
}

/** Returns the items of the list that the page shows, as the browser has received them. Sends no requests. */
export async function shownItems(input: SearchIn): Promise<readonly Item[]> {
  const page = documentIn(input.exchanges)
  const candidates = page ? await candidatesOf(page, input).catch(reasonOfComplex) : []
  return 'reason' in candidates ? [] : (candidates[0]?.list.items ?? [])
}

/** Returns the reason if work took too much time or memory. Throws other errors. */
function reasonOfComplex(error: unknown): { readonly reason: string } {
  if (EngineError.is(error) && error.code === 'page_too_complex') return { reason: publicMessage(error) }
  throw error
}

const documentIn = (exchanges: readonly Exchange[]): Exchange | undefined => exchanges.find(isDocument)

/** Query values may be secrets, so they are not part of messages. */
function withoutQuery(url: string): string {
  const parsed = new URL(url)
  return `${parsed.origin}${parsed.pathname}`
}

/** A path that may contain a secret is omitted as well. */
function shownUrl(url: string, page: URL, redacted: string | undefined): string {
  const parsed = new URL(url)
  return hasSecretInPath(parsed, page, redacted) ? `${parsed.origin}/` : withoutQuery(url)
}

/** Returns the responses that contain the list, the ones with the most shown items first. */
async function candidatesOf(page: Exchange, { exchanges, shown, work }: SearchIn): Promise<readonly Candidate[]> {
  const searched: Exchange[] = []
  const responses: SearchInput['responses'][number][] = []
  const left: { html: number; json: number } = { html: limits.searchedHtml, json: limits.searchedJson }
  for (const exchange of exchanges.filter((one) => one !== page && one.status === 200).slice(0, maxSearched)) {
    const kind = isHtml(exchange) ? 'html' : 'json'
    if (exchange.text.length > left[kind]) continue
    left[kind] -= exchange.text.length
    searched.push(exchange)
    responses.push({ kind, text: exchange.text })
  }
  searched.push(page)
  responses.push({ kind: 'script', text: page.text })
  const lists = await work('findLists', { shown, responses })
  return lists.flatMap(({ index, ...list }) => {
    const exchange = searched[index]
    return exchange ? [{ exchange, list }] : []
  })
}

interface Trials extends LessonInput {
  left: number
}

async function learnFrom(
  { exchange, list }: Candidate,
  page: Exchange,
  trials: Trials,
): Promise<{ readonly learned: NonNullable<Lesson['learned']> } | { readonly reason: string }> {
  const template = templateOf(exchange)
  if (!template) return { reason: `A ${exchange.method} request with this body cannot be repeated safely.` }
  if (!trials.repeatPosts && !isReading(template)) return { reason: mayChange }
  if (hasSecretInPath(new URL(template.url), trials.url, trials.redacted))
    return { reason: 'The path of the request may contain a secret, which recipes must not contain.' }
  const { exchanges, work } = trials
  const before = exchanges.slice(0, exchanges.indexOf(exchange)).filter((one) => one !== page)
  // Only these can be origins of tokens, and all of them are copied to the thread.
  const earlier = before.filter(({ method, sent }) => method === 'GET' && sent === undefined)
  const related = [page.url, exchange.url].map((one) => new URL(one).host)
  const trusted = earlier.filter((one) => related.some((host) => isSameSite(new URL(one.url).host, host)))
  const sources = { page, earlier, trusted, cookies: trials.cookies, redacted: trials.redacted }
  const { headers } = exchange
  const { drafts, unknown } = await work('draftsOf', { template, headers, sources, url: trials.url.href })
  const base = (draft: Draft, paging?: Paging): Recipe => ({
    ...{ version: 1, page: pageOf(trials.url, draft.parameters), ...draft },
    ...(draft.visitsPage && documentOf(new URL(page.url), trials.url, draft.parameters)),
    ...(paging && { paging }),
    ...{ items: list.source, schema: schemaOf(list.items) },
  })
  let failure = ''
  for (const draft of drafts) {
    const result = await tryOne(base(draft), 1, trials)
    if ('failure' in result) {
      failure = result.failure
      continue
    }
    const small = await withoutNeedless(draft, base, trials)
    const ways = await work('pagingOf', {
      ...{ request: template, response: pagedOf(exchange), count: list.items.length },
      later: laterRequest(exchange, exchanges),
    })
    const paging = await findPaging(ways, small, base, trials)
    const items = paging?.items ?? result.items
    const recipe: Recipe = { ...base(small, paging?.paging), schema: schemaOf(items) }
    const problem = recipeProblem(recipe)
    return problem === undefined ? { learned: { recipe, items: result.items } } : { reason: problem }
  }
  return { reason: reasonOf(unknown, failure) }
}

function reasonOf(unknown: readonly string[], failure: string): string {
  if (unknown.length === 0) return `The list could not be requested without a browser. ${failure}`
  const names = unknown.slice(0, 5).join(', ')
  return `The list could not be requested without ${names}, which no response and no cookie contains. A script may compute it, or a login may require it. ${failure}`
}

function pageOf(url: URL, parameters: readonly string[]): string {
  const page = new URL(url)
  page.hash = ''
  for (const name of parameters) page.searchParams.delete(name)
  return page.href
}

/**
 * Returns the request for the document of a page that redirects. Empty if its URL may contain a secret, or has a parameter in its
 * path.
 */
function documentOf(url: URL, page: URL, parameters: readonly string[]): Pick<Recipe, 'document'> {
  const isSame = pageOf(url, []) === pageOf(page, [])
  const bound = parameters.map((name) => ({ name, value: page.searchParams.get(name) ?? '' }))
  const isInPath = url.pathname.split('/').some((one) => bound.some(({ value }) => value === decoded(one)))
  if (isSame || isInPath || hasSecretInPath(url, page) || hasSecretInQuery(url, page)) return {}
  const query = [...url.searchParams].map(([name, value]): [string, string] => {
    const parameter = bound.find((one) => isSameValue({ name, value }, one))
    return [name, parameter ? `{{page.${parameter.name}}}` : value]
  })
  return { document: { url: `${url.origin}${url.pathname}`, query } }
}

const pagedOf = ({ received: headers, text }: Exchange) => ({ headers, text })

/** Returns a later request to the same endpoint with other values. */
function laterRequest(exchange: Exchange, exchanges: readonly Exchange[]): RecipeRequest | undefined {
  const path = withoutQuery(exchange.url)
  const later = exchanges
    .slice(exchanges.indexOf(exchange) + 1)
    .find(
      ({ method, url, sent }) =>
        method === exchange.method && withoutQuery(url) === path && (url !== exchange.url || sent !== exchange.sent),
    )
  return later && templateOf(later)
}

type Tried = { readonly items: readonly Item[]; readonly pages: number } | { readonly failure: string }

async function tryOne(recipe: Recipe, maxPages: number, trials: Trials): Promise<Tried> {
  if (trials.left <= 0) return { failure: `Learning is limited to ${limits.trials} requests.` }
  const problem = recipeProblem(recipe)
  if (problem !== undefined) return { failure: problem }
  const sender = trials.makeSender(trials.left)
  const run = await tryRecipe(recipe, trials.url, maxPages, { sender, work: trials.work }).catch((error: unknown) => {
    if (!isDenial(error)) throw error
    return { failure: publicMessage(error) }
  })
  trials.left -= sender.count()
  if ('failure' in run) return run
  const { shown } = trials
  return run.pages > 1 || (await trials.work('countShown', { items: run.items, shown })) > 0
    ? run
    : { failure: 'The response has another list than the page.' }
}

/** Removes headers, tokens and the visit of the page sequentially, as long as the list is returned without them. */
async function withoutNeedless(draft: Draft, base: (draft: Draft) => Recipe, trials: Trials): Promise<Draft> {
  let small = draft
  for (const name of Object.keys(draft.request.headers)) {
    const { [name]: _, ...headers } = small.request.headers
    const less = withUsedTokens({ ...small, request: { ...small.request, headers } })
    if (!('failure' in (await tryOne(base(less), 1, trials)))) small = less
  }
  if (!small.visitsPage || needsPage(small)) return small
  const less = { ...small, visitsPage: false }
  return 'failure' in (await tryOne(base(less), 1, trials)) ? small : less
}

const needsPage = ({ tokens }: Draft): boolean => tokens.some(({ from }) => from.in !== 'response')

function withUsedTokens(draft: Draft): Draft {
  const text = JSON.stringify(draft.request)
  return { ...draft, tokens: draft.tokens.filter(({ name }) => text.includes(`{{${name}}}`)) }
}

async function findPaging(
  ways: readonly Paging[],
  draft: Draft,
  base: (draft: Draft, paging: Paging) => Recipe,
  trials: Trials,
): Promise<{ readonly paging: Paging; readonly items: readonly Item[] } | undefined> {
  for (const paging of ways) {
    const run = await tryOne(base(draft, paging), 2, trials)
    if (!('failure' in run) && run.pages > 1) return { paging, items: run.items }
  }
  return undefined
}
