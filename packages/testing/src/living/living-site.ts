// A site that lives: its pages change by a plan, as the clock that it is given goes on.
import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Clock, Fetcher } from '@harvestman/ports'

import { livingPage } from './page.ts'
import { planSite, stateAt, type PagePlan, type PageState, type PlanOptions } from './plan.ts'

/** How a living site is made. */
export interface LivingSiteOptions extends Omit<PlanOptions, 'seed' | 'days'> {
  readonly clock: Clock
  /** The same seed makes the same site; 1 when absent. */
  readonly seed?: number | undefined
  /** For how many days the plan goes on; 90 when absent. */
  readonly days?: number | undefined
  /** Whether pages have clocks, counters, ads and tokens; true when absent. */
  readonly noise?: boolean | undefined
  /** What its sitemap says of when pages have changed: the truth, that none ever has, or nothing; nothing when absent. */
  readonly listing?: 'honest' | 'stale' | undefined
  /** The milliseconds that a slow page waits, by the clock of the site; 3,000 when absent. */
  readonly slowness?: number | undefined
}

/** What a page is answered with. */
export interface LivingAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A site whose pages change by a known plan. */
export interface LivingSite {
  readonly plans: readonly PagePlan[]
  /** The paths of its pages, at the beginning. */
  readonly paths: readonly string[]
  /** How the page of a path is at a moment, in milliseconds since 1970; nothing for other paths. */
  stateOf(path: string, at: number): PageState | undefined
  /** What a path answers now. */
  answer(path: string, headers?: Readonly<Record<string, string | undefined>>, origin?: string): Promise<LivingAnswer>
  /** Serves it over HTTP, for `createServer`. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void
  /** Serves it to an engine without a network: every host shows it. */
  readonly fetcher: Fetcher
  /** What was asked for so far, and the bytes of all bodies. */
  readonly served: { readonly requests: number; readonly bytes: number; readonly notModified: number }
}

const html = 'text/html; charset=utf-8'

/** Makes a site that lives from now on. */
export function livingSite(options: LivingSiteOptions): LivingSite {
  const { clock, seed = 1, days = 90, noise = true, slowness = 3_000 } = options
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
    if (path === '/sitemap.xml') return sitemap(plans, { now, start, origin, listing: options.listing })
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
    const body = isKnown
      ? ''
      : livingPage(plan.number, state, plans.length, noise ? { now, visit: served.requests } : undefined)
    return { status: isKnown ? 304 : 200, headers: { 'content-type': html, ...marks }, body }
  }
  const answer: LivingSite['answer'] = async (path, headers, origin) => {
    served.requests += 1
    const given = await respond(path, headers, origin)
    served.bytes += Buffer.byteLength(given.body)
    return given
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

/** What the headers say of the age of a page. */
function marksOf({ number, honesty, events }: PagePlan, { text, price }: PageState, { now, start, visit }: Moment) {
  const changed = changedAt(events, now, start)
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

function changedAt(events: PagePlan['events'], now: number, start: number): number {
  return start + (events.findLast(({ at, is }) => at <= now - start && (is === 'text' || is === 'price'))?.at ?? 0)
}

interface Listing {
  readonly now: number
  readonly start: number
  readonly origin: string
  readonly listing: LivingSiteOptions['listing']
}

function sitemap(plans: readonly PagePlan[], { now, start, origin, listing }: Listing): LivingAnswer {
  const timeOf = ({ events }: PagePlan): number => (listing === 'honest' ? changedAt(events, now, start) : start)
  const rows = plans
    .filter((plan) => !stateAt(plan, now - start).isGone)
    .map((plan) => {
      const time = listing ? `<lastmod>${new Date(timeOf(plan)).toISOString()}</lastmod>` : ''
      return `<url><loc>${origin}/page/${plan.number}</loc>${time}</url>`
    })
  const body = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${rows.join('')}</urlset>`
  return { status: 200, headers: { 'content-type': 'application/xml' }, body }
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
