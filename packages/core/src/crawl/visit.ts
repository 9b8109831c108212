import type { Fingerprint } from '@harvestman/html/checking'
import type { RunContext, PageOutcome, PageToScrape } from '../jobs/run/strategy.ts'
import type { CrawlRequest } from '../schema/crawl.ts'
import type { AnyDocument } from '../scrape/document.ts'
import type { Scraped } from '../scrape/scraped.ts'
import type { Waiting } from '@harvestman/site'
import type { CrawlNote } from './notes.ts'
import { sortAddresses, type SortTools } from './sort.ts'
import type { ListedTimes } from './listed-times.ts'
import { lessonNotes, trapNotes } from './trap-notes.ts'

export interface VisitTools extends SortTools {
  readonly request: CrawlRequest
  readonly context: RunContext
  /** Nothing on the site leads to the page, as far as the crawl has found. */
  readonly isUnlinked?: boolean | undefined
  /** Change times of pages by the sitemaps, where these are asked. */
  readonly listed?: ListedTimes | undefined
  /** True when a page with this status is no more; absent where pages are not followed. */
  readonly isGone?: ((status: number) => boolean) | undefined
}

const allLinks = { field: 'page.allLinks', name: 'allLinks', options: null }
const pageWords = { field: 'page.fingerprint', name: 'fingerprint', options: null }

/** Readings of each page beside its document. */
export const crawlReadings = [allLinks, pageWords]

/** Makes the scrape of a page of a crawl; or the notes on a page that is not wanted any more. */
export function preparePage(
  { number, url, depth }: Waiting,
  { request, memory, traps, isUnlinked, listed }: VisitTools,
): PageToScrape | { readonly outcome: PageOutcome } {
  // Judged again: what other pages have shown meanwhile counts.
  const trap = isStart({ number }) ? undefined : traps.judge(url, depth)
  if (trap) return { outcome: outcome([{ left: [[url, 'TRAP', trap.sentence]] }, ...trapNotes(url, trap, memory)]) }
  return { request: { ...request.scrapeOptions, url }, readings: crawlReadings, isUnlinked, listed: listed?.of(url) }
}

/** Takes in a page: looks where its address led, and finds what it leads to. */
export async function receivePage(
  waiting: Waiting,
  { document, visit, values }: Scraped,
  tools: VisitTools,
): Promise<PageOutcome> {
  const { memory, isUnlinked, isGone } = tools
  const { depth, isExternal, url } = waiting
  const { url: landing, status } = visit.page
  const links = (values[allLinks.field] ?? []) as readonly string[]
  const words = values[pageWords.field] as Fingerprint | undefined
  const arrival = await arrive(waiting, landing, tools)
  if (!arrival.isKept) return outcome(arrival.notes)
  // Pages that a site says are missing look the same for honest reasons.
  const learnt = status < 400 ? lessonNotes(landing, words) : []
  // Links of a page that nothing leads to are no more a part of the site than the page is.
  const from = { by: 'link', page: landing, depth, isExternal } as const
  const found = isUnlinked ? [] : await sortAddresses(links, from, tools)
  const gone: CrawlNote[] = isGone?.(status) ? [{ gone: url }] : []
  const notes = [...arrival.notes, ...learnt, ...found, ...gone]
  const own = isStart(waiting) ? memory.scope.judgeStart() : undefined
  if (!own || own.take) return outcome(notes, document)
  return outcome([...notes, { warning: `The start was read for its links only. ${own.sentence}` }])
}

interface Arrival {
  readonly isKept: boolean
  readonly notes: readonly CrawlNote[]
}

/** Decides whether the page belongs to the crawl, now that it is known where its address leads. */
async function arrive(waiting: Waiting, landing: string, { memory, rules }: VisitTools): Promise<Arrival> {
  const { url, depth } = waiting
  if (memory.isSame(url, landing)) return { isKept: true, notes: [] }
  await rules.know(landing)
  // From here on, everything is judged by where the start leads.
  if (isStart(waiting)) memory.move(landing)
  const moved: CrawlNote[] = isStart(waiting) ? [{ moved: landing }] : []
  const verdict = memory.scope.judgeLanding(landing, { depth })
  if (!isStart(waiting) && !verdict.take) {
    return { isKept: false, notes: [{ left: [[url, 'REDIRECT', verdict.sentence]] }] }
  }
  // The first of two pages that lead to one is kept.
  if (!memory.meet(landing)) return { isKept: false, notes: [...moved, { left: [[url, 'DUPLICATE']] }] }
  return { isKept: true, notes: [...moved, { landed: landing }] }
}

function isStart({ number }: Pick<Waiting, 'number'>): boolean {
  return number === 0
}

function outcome(notes: readonly CrawlNote[], document?: AnyDocument): PageOutcome {
  return { document, notes: notes }
}
