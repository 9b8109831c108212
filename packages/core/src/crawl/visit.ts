import type { Fingerprint } from '@harvestman/html/checking'
import type { RunContext, PageOutcome, PageToScrape } from '../jobs/run/strategy.ts'
import type { CrawlRequest } from '../schema/crawl.ts'
import type { Scraped } from '../scrape/scraped.ts'
import type { Waiting } from '@harvestman/site'
import type { CrawlNote } from './notes.ts'
import { allLinks, crawlReadings, pageWords, unseenLinks } from './readings.ts'
import { leaveUnseen, sortUrls, type SortTools } from './sort.ts'
import type { ListedTimes } from './listed-times.ts'
import { lessonNotes, trapNotes } from './trap-notes.ts'

export interface VisitTools extends SortTools {
  readonly request: CrawlRequest
  readonly context: RunContext
  /** True if no link found so far leads to the page. */
  readonly isUnlinked?: boolean | undefined
  /** Modification times of pages from sitemaps, if these are used. */
  readonly listed?: ListedTimes | undefined
  /** Returns whether a status means that the page no longer exists. Absent if pages are not tracked. */
  readonly isMissing?: ((status: number) => boolean) | undefined
}

/**
 * Prepares the scrape of a page. Returns an outcome that skips the page instead if its URL now looks like a trap, which the first
 * page of a crawl never does. The trap is noted in `memory`, so that it is reported once.
 */
export function preparePage(
  { number, url, depth }: Waiting,
  { request, memory, traps, isUnlinked, listed }: VisitTools,
): PageToScrape | { readonly outcome: PageOutcome } {
  // Checked again, because pages visited in the meantime may have revealed a trap.
  const trap = isStart({ number }) ? undefined : traps.judge(url, depth)
  if (trap) return { outcome: outcome([{ left: [[url, 'TRAP', trap.sentence]] }, ...trapNotes(url, trap, memory)]) }
  return { request: { ...request.scrapeOptions, url }, readings: crawlReadings, isUnlinked, listed: listed?.of(url) }
}

/**
 * Processes a page: checks its redirect and collects its links. The outcome has no document if a redirect led out of the crawl
 * or to a page that it already has, or if the start is read only for its links. Rejects when the run is aborted.
 */
export async function receivePage(
  waiting: Waiting,
  { document, visit, values }: Scraped,
  tools: VisitTools,
): Promise<PageOutcome> {
  const { memory, isUnlinked, isMissing } = tools
  const { depth, isExternal, url } = waiting
  const { url: landing, status } = visit.page
  const links = listOf(values[allLinks.field])
  const words = values[pageWords.field] as Fingerprint | undefined
  const arrival = await arrive(waiting, landing, tools)
  if (!arrival.belongs) return outcome(arrival.notes)
  // Error pages of a site are similar without being a trap.
  const learnt = status < 400 ? lessonNotes(landing, words) : []
  // Links of a page without incoming links are ignored: it is no longer part of the site.
  const from = { by: 'link', page: landing, depth, isExternal } as const
  const found = isUnlinked ? [] : await sortUrls(links, from, tools)
  const unseen = isUnlinked ? [] : await leaveUnseen(listOf(values[unseenLinks.field]), from, tools)
  const missing: CrawlNote[] = isMissing?.(status) ? [{ gone: url }] : []
  const linked = [...found, ...unseen].filter(({ length }) => length > 0)
  // URLs that are stored before their page are known when it is processed again, so they are not noted twice. A
  // redirected page is stored with its URLs: its target would be known, too, but not that this page has it.
  const isEarlier = linked.length > maxGroupsWithPage && memory.isSame(url, landing)
  const earlierNotes = isEarlier ? linked : []
  const notes = [...arrival.notes, ...learnt, ...(isEarlier ? [] : linked.flat()), ...missing]
  const own = isStart(waiting) ? memory.scope.judgeStart() : undefined
  if (!own || own.take) return { document, notes, earlierNotes }
  const warning: CrawlNote = { warning: `The start was read for its links only. ${own.sentence}` }
  return { notes: [...notes, warning], earlierNotes }
}

/** Maximum number of groups of notes that are stored in one write with their page. Pages with a few thousand links have fewer. */
const maxGroupsWithPage = 3

/** Returns a list that was read from a page; empty if it was not read. */
function listOf(value: unknown): readonly string[] {
  // Cast: both readings are lists of URLs.
  return (value ?? []) as readonly string[]
}

interface Arrival {
  readonly belongs: boolean
  readonly notes: readonly CrawlNote[]
}

/** Decides whether a page belongs to the crawl, given the URL it redirected to. */
async function arrive(waiting: Waiting, landing: string, { memory, rules }: VisitTools): Promise<Arrival> {
  const { url, depth } = waiting
  if (memory.isSame(url, landing)) return { belongs: true, notes: [] }
  await rules.know(landing)
  // If the start redirects, its target defines the scope from here on.
  if (isStart(waiting)) memory.move(landing)
  const moved: CrawlNote[] = isStart(waiting) ? [{ moved: landing }] : []
  const verdict = memory.scope.judgeLanding(landing, { depth })
  if (!isStart(waiting) && !verdict.take) {
    return { belongs: false, notes: [{ left: [[url, 'REDIRECT', verdict.sentence]] }] }
  }
  // If two URLs redirect to the same page, only the first one counts.
  if (!memory.meet(landing)) return { belongs: false, notes: [...moved, { left: [[url, 'DUPLICATE']] }] }
  return { belongs: true, notes: [...moved, { landed: landing }] }
}

function isStart({ number }: Pick<Waiting, 'number'>): boolean {
  return number === 0
}

function outcome(notes: readonly CrawlNote[]): PageOutcome {
  return { notes }
}
