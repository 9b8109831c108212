// A site whose pages change by a plan, as the time of a given clock passes.
import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Clock, Fetcher } from '@harvestman/ports'

import { feedOf, sitemapOf, type LivingAnswer } from './lists.ts'
import { livingPage } from './page.ts'
import { changedAt, planSite, stateAt, type PagePlan, type PageState, type PlanOptions } from './plan.ts'

/** Options of a living site. */
export interface LivingSiteOptions extends Omit<PlanOptions, 'seed' | 'days'> {
  readonly clock: Clock
  /** The same seed makes the same site. Default: 1. */
  readonly seed?: number | undefined
  /** Number of days that the plan covers. Default: 90. */
  readonly days?: number | undefined
  /** Whether pages contain clocks, counters, ads and tokens. Default: true. */
  readonly noise?: boolean | undefined
  /**
   * Modification dates in its sitemap: the true ones (`honest`), or the start of the site for all pages (`stale`). Default: a
   * sitemap without dates.
   */
  readonly listing?: 'honest' | 'stale' | undefined
  /**
   * Modification dates in its feed, which is at `/feed.xml` and contains the latest changes and a hub: the true ones
   * (`honest`), or the start of the site for all pages (`stale`). Default: no feed.
   */
  readonly feed?: 'honest' | 'stale' | undefined
  /** Additional bytes per page, for styles and scripts. Default: 0. */
  readonly weight?: number | undefined
  /** Milliseconds that a slow page takes to respond, by the clock of the site. Default: 3,000. */
  readonly slowness?: number | undefined
}

export type { LivingAnswer } from './lists.ts'

/** A site whose pages change by a known plan. */
export interface LivingSite {
  readonly plans: readonly PagePlan[]
  /** Initial paths of its pages. */
  readonly paths: readonly string[]
  /** Returns the state of the page with this path at a time in milliseconds since 1970; `undefined` for other paths. */
  stateOf(path: string, at: number): PageState | undefined
  /** Returns the current response of a path. */
  answer(path: string, headers?: Readonly<Record<string, string | undefined>>, origin?: string): Promise<LivingAnswer>
  /** Serves the site over HTTP, for `createServer`. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void
  /** Serves the site to an engine without a network: every host is this site. */
  readonly fetcher: Fetcher
  /** Number of requests so far, the total size of all bodies, and the number of 304 responses. */
  readonly served: { readonly requests: number; readonly bytes: number; readonly notModified: number }
}

const html = 'text/html; charset=utf-8'

/**
 * Creates a site whose pages change, move, fail and disappear over time, by a plan that depends only on the options
 * and the seed. It starts at the current time of its clock; unknown paths respond with 404.
 */
export function livingSite(options: LivingSiteOptions): LivingSite {
  const { clock, seed = 1, days = 90, noise = true, slowness = 3_000, weight = 0 } = options
  const start = clock.now()
  const plans = planSite({ ...options, seed, days })
  const served = { requests: 0, bytes: 0, notModified: 0 }
  const planOf = (path: string): PagePlan | undefined => {
    const number = /^\/(?:page|moved)\/(\d+)$/.exec(path)?.[1] ?? (path === '/' ? '0' : undefined)
    return number === undefined ? undefined : plans[Number(number)]
  }
  const stateOf: LivingSite['stateOf'] = (path, at) => {
    const plan = planOf(path)
    return plan && stateAt(plan, at - start)
  }

  const respond: LivingSite['answer'] = async (path, headers = {}, origin = '') => {
    const now = clock.now()
    const [plan, state] = [planOf(path), stateOf(path, now)]
    if (path === '/robots.txt') return plain('User-agent: *\nAllow: /\n')
    if (path === '/sitemap.xml') return sitemapOf(plans, { now, start, origin, listing: options.listing })
    if (path === '/feed.xml' && options.feed) return feedOf(plans, { now, start, origin, listing: options.feed })
    if (!plan || !state || (path.startsWith('/moved/') && !state.isMoved)) return missing(404)
    if (state.isSlow) await clock.sleep(slowness, AbortSignal.timeout(60_000))
    if (state.isFailing)
      return { status: 503, headers: { 'content-type': html }, body: '<p>Please come back later.</p>' }
    if (state.isGone) return missing(410)
    if (state.isMoved && !path.startsWith('/moved/'))
      return { status: 301, headers: { location: `/moved/${plan.number}` }, body: '' }
    const marks = marksOf(plan, state, { now, start, visit: served.requests })
    const isKnown = marks.etag !== undefined && headers['if-none-match'] === marks.etag
    if (isKnown) served.notModified += 1
    const surroundings = {
      ...{ pages: plans.length, weight, hasFeed: options.feed !== undefined },
      noise: noise ? { now, visit: served.requests } : undefined,
    }
    const body = isKnown ? '' : livingPage(plan.number, state, surroundings)
    return { status: isKnown ? 304 : 200, headers: { 'content-type': html, ...marks }, body }
  }
  const answer: LivingSite['answer'] = async (path, headers, origin) => {
    served.requests += 1
    const response = await respond(path, headers, origin)
    served.bytes += Buffer.byteLength(response.body)
    return response
  }

  return {
    ...{ plans, stateOf, answer, served },
    paths: plans.map(({ number }) => (number === 0 ? '/' : `/page/${number}`)),
    handle: (request, response) => void serve(answer, request, response),
    fetcher: fetcherOf(answer),
  }
}

interface Moment {
  readonly now: number
  readonly start: number
  readonly visit: number
}

/** Returns the caching headers of a page. */
function marksOf(plan: PagePlan, { text, price }: PageState, { now, start, visit }: Moment) {
  const { number, honesty } = plan
  const changed = changedAt(plan, now, start)
  const own = { etag: `"${number}-${text}-${price}"`, 'last-modified': new Date(changed).toUTCString() }
  const marks = {
    honest: own,
    'same etag for ever': { etag: `"${number}"`, 'last-modified': new Date(start).toUTCString() },
    'new etag each time': { etag: `"${number}-${visit}"` },
    'modified now': { 'last-modified': new Date(now).toUTCString() },
    'says nothing': {},
  }
  const chosen: { readonly etag?: string; readonly 'last-modified'?: string } = marks[honesty]
  return chosen
}

function plain(body: string): LivingAnswer {
  return { status: 200, headers: { 'content-type': 'text/plain' }, body }
}

function missing(status: number): LivingAnswer {
  return { status, headers: { 'content-type': html }, body: '<h1>Not here</h1><p>There is no such page.</p>' }
}

async function serve(answer: LivingSite['answer'], request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, origin } = new URL(request.url ?? '/', `http://${request.headers.host ?? 'site'}`)
  const { 'if-none-match': known } = request.headers
  const { status, headers, body } = await answer(pathname, { 'if-none-match': known }, origin)
  response.writeHead(status, headers)
  response.end(body)
}

function fetcherOf(answer: LivingSite['answer']): Fetcher {
  return {
    exchange: async ({ url, headers: given }, signal) => {
      signal.throwIfAborted()
      const { status, headers, body } = await answer(new URL(url).pathname, given, new URL(url).origin)
      return { status, headers: Object.entries(headers), body: new TextEncoder().encode(body) }
    },
    close: async () => undefined,
  }
}
