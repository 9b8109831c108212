import type { MapRequest } from '../schema/map.ts'
import type { Caller } from '../scrape/caller.ts'
import { siteRoute } from '../scrape/site-route.ts'
import { allowNone, type RobotsRules } from '@harvestman/site'
import type { Collection } from './collection.ts'
import type { MapKit } from './kit.ts'
import { relevance } from './rank.ts'
import { endsMap, loadMapPage, type VisitedPage } from './visit-page.ts'

/** Limits for pages that a map loads after the first one. */
export const discoveryBounds = {
  /** Number of links at which discovery stops. */
  enough: 100,
  /** Maximum number of pages loaded in addition to the first. */
  pages: 24,
  /** Maximum number of links from the first page. */
  depth: 3,
  atOnce: 4,
  /** Timeout per page in milliseconds. */
  timeout: 15_000,
}

interface Work {
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly kit: MapKit
}

interface Candidate {
  readonly url: string
  readonly depth: number
  /** Lower ranks are visited first. */
  readonly rank: number
}

// Files without links to pages.
const noPage =
  /\.(?:png|jpe?g|gif|webp|svg|ico|css|m?js|json|pdf|zip|gz|mp[34]|webm|woff2?|docx?|xlsx?|pptx?|xml|txt|exe|dmg)$/i

/**
 * Adds links to `links` from the first page and, while there are fewer than 100 or than the limit of the map, from up to 24
 * pages behind it: nearest pages first, and among those the most promising. Pages are loaded in batches and processed in a
 * fixed order, so that the same site always gives the same map. A page that cannot be loaded is skipped; rejects with an error
 * that ends the map (`endsMap`).
 */
export async function discover(start: VisitedPage, request: MapRequest, links: Collection, work: Work): Promise<void> {
  const seen = new Set<string>()
  const waiting: Candidate[] = []
  const enough = Math.min(request.limit, discoveryBounds.enough)
  const consider = (page: VisitedPage, depth: number): void => {
    for (const { url, text } of page.anchors) {
      const shown = links.add({ url, title: text })
      if (shown === undefined || seen.has(shown) || depth > discoveryBounds.depth || noPage.test(shown)) continue
      seen.add(shown)
      waiting.push({ url: shown, depth, rank: depth * 100 + promise(shown, text, request.search) })
    }
  }
  const own = start.isGood ? links.add({ url: start.url }) : undefined
  seen.add(own ?? start.url)
  consider(start, 1)
  let rules: RobotsRules | undefined
  for (let left = discoveryBounds.pages; left > 0 && links.size < enough && waiting.length > 0;) {
    rules ??= await robotsOf(start.url, request, work)
    waiting.sort((one, other) => one.rank - other.rank)
    const wave = takeAllowed(waiting, Math.min(left, discoveryBounds.atOnce), rules)
    left -= wave.length
    const pages = await Promise.all(wave.map(({ url }) => tryPage(url, request, work)))
    for (const [index, page] of pages.entries()) {
      if (!page?.isGood) continue
      links.add({ url: page.url, title: page.title, description: page.description })
      consider(page, (wave[index]?.depth ?? 0) + 1)
    }
  }
}

function takeAllowed(waiting: Candidate[], most: number, rules: RobotsRules): Candidate[] {
  const wave: Candidate[] = []
  while (wave.length < most && waiting.length > 0) {
    const next = waiting.shift()!
    if (rules.allows(next.url)) wave.push(next)
  }
  return wave
}

async function robotsOf(
  url: string,
  { record, location }: MapRequest,
  { caller, signal, kit }: Work,
): Promise<RobotsRules> {
  const { team, id } = caller
  const tell = (message: string): void => kit.observer({ kind: 'warning', message, team, id, at: kit.clock.now() })
  try {
    return await kit.robots.rulesOf(new URL(url).origin, {
      ...{ signal, tell, isFresh: record },
      route: siteRoute({ location }, undefined),
    })
  } catch (error) {
    if (endsMap(error, signal)) throw error
    return allowNone
  }
}

/** Rates a link for discovery, lower is better: list pages before detail pages, and pages that match the search before both. */
function promise(url: string, text: string, search: string | undefined): number {
  const path = url.slice(url.indexOf('/', 8))
  const segments = path.split('/').filter((part) => part !== '').length
  const details = (path.match(/\d/g)?.length ?? 0) + (path.match(/-/g)?.length ?? 0)
  const wanted = search === undefined ? 0 : relevance(search, { url, title: text })
  return Math.min(segments * 5 + details + (url.includes('?') ? 5 : 0), 90) - Math.min(wanted * 10, 90)
}

async function tryPage(url: string, request: MapRequest, work: Work): Promise<VisitedPage | undefined> {
  try {
    return await loadMapPage(url, discoveryBounds.timeout, request, work.caller, work.kit)
  } catch (error) {
    if (endsMap(error, work.signal)) throw error
    return undefined
  }
}
