import { payFor } from '../credits/hold.ts'
import { tariff } from '../credits/tariff.ts'
import { EngineError, type ErrorCode, publicMessage } from '@harvestman/ports'
import { typedError } from '../lib/typed-error.ts'
import type { MapRequest } from '../schema/map.ts'
import type { Caller } from '../scrape/caller.ts'
import { holdFor } from '../scrape/hold-for.ts'
import { siteRoute } from '../scrape/site-route.ts'
import { readSitemaps } from '@harvestman/site'
import { makeCollection, type Collection, type MapLink } from './collection.ts'
import { discover } from './discover.ts'
import type { MapKit } from './kit.ts'
import { rankLinks } from './rank.ts'
import { makeMapScope } from './scope.ts'
import { withThreatRules } from '../threats/guard.ts'
import { threatRules } from '../threats/rules.ts'
import { endsMap, loadMapPage, type VisitedPage } from './visit-page.ts'

/** The URLs of a site. */
export interface MapResult {
  readonly id: string
  readonly links: readonly MapLink[]
  readonly warning?: string
  readonly creditsUsed: number
}

const startTimeout = 30_000
// The best match may be the last of many links, so more links are ranked than returned.
const maxRankedLinks = 100_000
const maxTimerDelay = 2_147_483_647
/** Milliseconds for which credits are reserved for a map without a timeout. */
const heldFor = 3_600_000

/**
 * Finds the URLs of a site: in its sitemaps, on its first page and, while there are few, on the pages behind it. Rejects with
 * `map_timeout` after the timeout of the request, and with the error of the first page if no URL was found. A map that fails is
 * free.
 */
export async function map(request: MapRequest, caller: Caller, kit: MapKit): Promise<MapResult> {
  const { timeout = maxTimerDelay } = request
  const late = (): EngineError =>
    new EngineError('map_timeout', `The map operation timed out after ${timeout} ms. Raise timeout, or lower limit.`)
  const deadline = kit.deadlines.start(timeout, caller.signal, late)
  const { team, id, begun } = caller
  const started = kit.clock.now()
  const ended = () => ({ ms: kit.clock.now() - started, team, id, at: kit.clock.now() })
  try {
    const { race, signal } = deadline
    const until = kit.clock.now() + (request.timeout ?? heldFor)
    const payment = { hold: holdFor(caller, until, kit), most: tariff.map, price: creditsUsed, begun, race }
    const result = await payFor(payment, () => follow(request, { ...caller, signal }, signal, kit))
    kit.observer({ kind: 'map.completed', links: result.links.length, credits: result.creditsUsed, ...ended() })
    return result
  } catch (error) {
    const { code, message } = typedError(error)
    kit.observer({ kind: 'map.failed', code, message, ...ended() })
    throw error
  } finally {
    deadline.end()
  }
}

async function follow(request: MapRequest, caller: Caller, signal: AbortSignal, kit: MapKit): Promise<MapResult> {
  await kit.policies.url(new URL(request.url), { team: caller.team, signal })
  threatRules(request.threatProtection)?.check(new URL(request.url))
  const warnings = request.withoutEffect.map((name) => `The option ${name} has no effect on a map.`)
  const start = await visitStart(request, caller, signal, kit)
  const landed = new URL(start.page?.url ?? request.url)
  const room = request.search === undefined ? request.limit : Math.max(request.limit, maxRankedLinks)
  const links = makeCollection(makeMapScope(request, landed), room)
  if (start.page && request.sitemap !== 'only') addStart(start.page, links)
  if (request.sitemap !== 'skip') warnings.push(...(await addSitemaps(request, landed, links, caller, signal, kit)))
  if (start.page && request.sitemap !== 'only') await discover(start.page, request, links, { caller, signal, kit })
  if (links.size === 0 && start.failure) throw start.failure
  if (start.failure) warnings.push(`The page itself could not be loaded. ${publicMessage(start.failure)}`)
  if (start.page && !start.page.isGood) warnings.push(`The page itself answered with status ${start.page.status}.`)
  const found = links.links()
  const ordered = request.search === undefined ? found : await rankLinks(request.search, found, signal)
  const shown = ordered.slice(0, request.limit)
  if (shown.length <= 1 && request.limit > 1 && landed.pathname !== '/')
    warnings.push(fewLinks(request, shown.length, landed.hostname))
  return {
    id: caller.id,
    links: shown,
    ...(warnings.length > 0 && { warning: warnings.join(' ') }),
    creditsUsed: tariff.map,
  }
}

function creditsUsed({ creditsUsed: credits }: MapResult): number {
  return credits
}

interface Start {
  readonly page?: VisitedPage
  readonly failure?: EngineError
}

/** Errors of the first page that end the map, although there may be a sitemap. */
const endsWithStart: ReadonlySet<ErrorCode> = new Set(['url_blocked', 'logged_out'])

/** Loads the first page. A failure does not end the map, because there may be a sitemap. */
async function visitStart(request: MapRequest, caller: Caller, signal: AbortSignal, kit: MapKit): Promise<Start> {
  try {
    return { page: await loadMapPage(request.url, startTimeout, request, caller, kit) }
  } catch (error) {
    if (endsMap(error, signal) || (EngineError.is(error) && endsWithStart.has(error.code))) throw error
    return { failure: error as EngineError }
  }
}

function addStart({ url, isGood, title, description, anchors }: VisitedPage, links: Collection): void {
  if (isGood) links.add({ url, title, description })
  for (const anchor of anchors) links.add({ url: anchor.url, title: anchor.text })
}

async function addSitemaps(
  { ignoreCache, headers, location, threatProtection }: MapRequest,
  start: URL,
  links: Collection,
  { team, id }: Caller,
  signal: AbortSignal,
  kit: MapKit,
): Promise<readonly string[]> {
  const losses: string[] = []
  const onLoss = (sentence: string): void => void (losses.length === 0 && losses.push(sentence))
  const tell = (message: string): void => kit.observer({ kind: 'warning', message, team, id, at: kit.clock.now() })
  const route = siteRoute({ location }, undefined)
  const request = { start, ignoreCache, headers, languages: location.languages, route, signal, tell, onLoss }
  const guard = withThreatRules(kit.guard, threatRules(threatProtection))
  for await (const pages of readSitemaps(request, { ...kit, guard })) {
    for (const { url, title } of pages) links.add({ url, title })
    if (links.isFull) break
  }
  return losses
}

function fewLinks({ filterByPath }: MapRequest, count: number, domain: string): string {
  const others = filterByPath ? ', or set filterByPath to false' : ''
  return `Only ${count} result(s) found below this address. Map the base domain ${domain}${others}.`
}
