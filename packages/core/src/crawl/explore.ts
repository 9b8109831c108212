import { isRecorded } from '../schema/record.ts'
import type { KeepNotes } from '../jobs/run/strategy.ts'
import { readSitemaps, type SitemapKit, describeUnread } from '@harvestman/site'
import type { CrawlRequest } from '../schema/crawl.ts'
import { siteRoute } from '../scrape/site-route.ts'
import { withThreatRules } from '../threats/guard.ts'
import { threatRules } from '../threats/rules.ts'
import type { CrawlNote } from './notes.ts'
import { sortUrls } from './sort.ts'
import type { VisitTools } from './visit.ts'

/** Sources in which a crawl discovers URLs, in addition to its pages. */
export interface CrawlKit extends SitemapKit {
  /** Returns whether the engine has a parser with this name. */
  readonly hasParser?: ((name: string) => boolean) | undefined
  /** Returns the pages that are tracked from one crawl to the next; `undefined` if the crawl tracks none. */
  readonly followed?: ((request: CrawlRequest, team: string) => FollowedByCrawl | undefined) | undefined
}

/** The pages that a crawl tracks from one time to the next. */
export interface FollowedByCrawl {
  list(): Promise<readonly string[]>
  note(met: Iterable<string>, gone: ReadonlySet<string>): Promise<void>
  /** Returns whether a status means that the page no longer exists. */
  isMissing(status: number): boolean
}

const startBlocked = 'The robots.txt of the site disallows the start URL. Set ignoreRobotsTxt to visit it anyway.'

/**
 * Adds the start URL of a new crawl, or notes why it cannot be visited. Rejects if `note` does, and as `know` of the rules
 * does.
 */
export async function noteStart(tools: VisitTools, note: KeepNotes): Promise<void> {
  const { request, rules } = tools
  const start = new URL(request.url)
  await rules.know(start.href)
  if (rules.allows(start)) return keep(note, { found: [[start.href, start.host, 0, 0]] })
  const unread = rules.unreadOf(start)
  if (unread) return keep(note, { impossible: describeUnread(unread) })
  const left: CrawlNote = { left: [[request.url, 'ROBOTS_TXT']] }
  await keep(note, { blocked: [request.url] }, left, { warning: startBlocked })
}

/**
 * Adds the URLs from the sitemaps of the site, while there is room, and notes that the sitemaps are done. With `sitemap:
 * 'skip'`, nothing is read and only the note is written. Rejects if `note` does or the run ends.
 */
export async function noteSitemaps(tools: VisitTools, note: KeepNotes, kit: CrawlKit): Promise<void> {
  if (tools.request.sitemap !== 'skip') await readThem(tools, note, kit)
  await keep(note, { explored: true })
}

async function readThem(tools: VisitTools, note: KeepNotes, kit: CrawlKit): Promise<void> {
  const { request, context, memory, room } = tools
  const { headers, location, threatProtection } = request.scrapeOptions
  const { signal } = context
  const tell = (message: string): void => context.warn(message)
  let loss: string | undefined
  const onLoss = (sentence: string): void => void (loss ??= sentence)
  const wanted = {
    start: new URL(memory.scope.start),
    ignoreCache: request.since !== undefined || isRecorded(request),
    ...(request.since !== undefined && { feeds: isRecorded(request) ? ('anew' as const) : ('kept' as const) }),
    headers,
    languages: location.languages,
    route: siteRoute(request.scrapeOptions, context.id),
  }
  const guard = withThreatRules(kit.guard, threatRules(threatProtection))
  for await (const pages of readSitemaps({ ...wanted, signal, tell, onLoss }, { ...kit, guard })) {
    const urls = pages.map(({ url }) => url)
    for (const { url, changedAt: at, by = 'sitemap' } of pages)
      if (at !== undefined) tools.listed?.note(url, { at, by })
    const sorted = await sortUrls(urls, { by: 'sitemap' }, tools)
    await keep(note, ...sorted.flat())
    if (room() <= 0) return
  }
  if (loss !== undefined) await keep(note, { warning: loss })
}

function keep(note: KeepNotes, ...notes: CrawlNote[]): Promise<void> {
  return note(notes)
}
