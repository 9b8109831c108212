import type { Fingerprint } from '@harvestman/html/internal'
import type { RunContext, PageOutcome, Attempt } from '../jobs/run/strategy.ts'
import type { Json } from '../ports/value.ts'
import type { CrawlRequest } from '../schema/crawl.ts'
import type { AnyDocument } from '../scrape/document.ts'
import type { Waiting } from './frontier.ts'
import type { CrawlNote } from './notes.ts'
import { sortAddresses, type SortTools } from './sort.ts'
import { lessonNotes, trapNotes } from './trap-notes.ts'

export interface VisitTools extends SortTools {
  readonly request: CrawlRequest
  readonly context: RunContext
}

const allLinks = { field: 'page.allLinks', name: 'allLinks', options: null }
const pageWords = { field: 'page.fingerprint', name: 'fingerprint', options: null }

/** Visits one page of a crawl: loads it, looks where it led, and finds what it leads to. */
export async function visitPage(waiting: Waiting, visit: Attempt, tools: VisitTools): Promise<PageOutcome> {
  const { memory, traps } = tools
  const { url, depth, isExternal } = waiting
  // Judged again: what other pages have shown meanwhile counts.
  const trap = isStart(waiting) ? undefined : traps.judge(url, depth)
  if (trap) return outcome([{ left: [[url, 'TRAP', trap.sentence]] }, ...trapNotes(url, trap, memory)])
  const { document, landing, status, words, links } = await load(url, visit, tools)
  const arrival = await arrive(waiting, landing, tools)
  if (!arrival.isKept) return outcome(arrival.notes)
  // What a site says of pages it has not is the same for honest reasons.
  const learnt = status < 400 ? lessonNotes(landing, words) : []
  const found = await sortAddresses(links, { by: 'link', page: landing, depth, isExternal }, tools)
  const notes = [...arrival.notes, ...learnt, ...found]
  const own = isStart(waiting) ? memory.scope.judgeStart() : undefined
  if (!own || own.take) return outcome(notes, document)
  return outcome([...notes, { warning: `The start was read for its links only. ${own.sentence}` }])
}

interface Loaded {
  readonly document: AnyDocument
  readonly landing: string
  readonly status: number
  /** What the page says, by which it is compared with others. */
  readonly words: Fingerprint | undefined
  readonly links: readonly string[]
}

async function load(url: string, visit: Attempt, { context, request }: VisitTools): Promise<Loaded> {
  const { scrapeOptions } = request
  let seen: Omit<Loaded, 'document'> = { landing: url, status: 0, words: undefined, links: [] }
  const document = await context.scrape({ ...scrapeOptions, url }, visit, {
    at: [allLinks, pageWords],
    see: ({ page }, values) => {
      const links = (values[allLinks.field] ?? []) as readonly string[]
      const words = values[pageWords.field] as Fingerprint | undefined
      seen = { landing: page.url, status: page.status, words, links }
    },
  })
  return { ...seen, document }
}

interface Arrival {
  readonly isKept: boolean
  readonly notes: readonly CrawlNote[]
}

/** Whether the page belongs to the crawl, now that it is known where its address leads. */
async function arrive(waiting: Waiting, landing: string, { memory, rules }: VisitTools): Promise<Arrival> {
  const { url, depth } = waiting
  if (memory.isSame(url, landing)) return { isKept: true, notes: [] }
  await rules.know(landing)
  // What is judged from here on is judged by where the start leads.
  if (isStart(waiting)) memory.move(landing)
  const moved: CrawlNote[] = isStart(waiting) ? [{ moved: landing }] : []
  const verdict = memory.scope.judgeLanding(landing, { depth })
  if (!isStart(waiting) && !verdict.take) {
    return { isKept: false, notes: [{ left: [[url, 'REDIRECT', verdict.sentence]] }] }
  }
  // Of two pages that lead to one, the first is kept.
  if (!memory.meet(landing)) return { isKept: false, notes: [...moved, { left: [[url, 'DUPLICATE']] }] }
  return { isKept: true, notes: [...moved, { landed: landing }] }
}

function isStart({ number }: Waiting): boolean {
  return number === 0
}

function outcome(notes: readonly CrawlNote[], document?: AnyDocument): PageOutcome {
  return { document, notes: notes as unknown as readonly Json[] }
}
