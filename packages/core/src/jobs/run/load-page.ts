import type { Listed } from '../../scrape/caller.ts'
import type { Pricing } from '../../credits/pricing.ts'
import type { CreditHold } from '../../credits/hold.ts'
import type { Reading } from '../../scrape/readings.ts'
import type { Scraped } from '../../scrape/scraped.ts'
import { isRecorded } from '../../schema/record.ts'
import { loadOrWait } from '../../scrape/kit.ts'
import type { BegunWork } from '../../scrape/work-wrappers.ts'
import type { ScrapeRequest } from '../../schema/scrape.ts'
import type { JobKit } from '../kit.ts'
import type { Opening } from '../log/facts.ts'
import { fileKey, pageId } from '../log/page-ids.ts'
import type { PageHold } from './budget.ts'
import type { LoadedElsewhere } from './remote-page.ts'
import type { Attempt, JobTask, PageToScrape } from './strategy.ts'

/** Loads the page of a task, in this engine or another one. */
export type Load = (tools: LoadTools) => Promise<Scraped | LoadedElsewhere | NotLoaded>

export interface LoadTools {
  readonly task: JobTask
  readonly page: PageToScrape
  readonly visit: Attempt
  readonly hold: PageHold
}

/**
 * A page returned without being loaded. `later`: try again; `unable`: this engine must load it itself; `wait`: the pages of its
 * host wait until `over` settles.
 */
export type NotLoaded = { readonly back: 'later' | 'unable' } | { readonly back: 'wait'; readonly over: Promise<void> }

/** A page of a job, with everything needed to load it. */
export interface PageToLoad {
  /** Number of the page's task. */
  readonly task: number
  readonly request: ScrapeRequest
  /** Values to read from the page in addition to its document. */
  readonly readings?: readonly Reading[]
  readonly isUnlinked?: boolean | undefined
  readonly listed?: Listed | undefined
  /** Milliseconds that the page was queued until its team had a free slot. */
  readonly heldFor?: number | undefined
  readonly hold: CreditHold
  readonly signal: AbortSignal
}

/** The job that a page belongs to. */
export interface PageOwner {
  readonly opening: Opening
  readonly pricing: Pricing | undefined
  readonly kit: Pick<JobKit, 'scrapePage'>
}

/** Loads a page of a job. Uses the same ids whichever engine loads it. Rejects with the error of the scrape. */
export async function loadPage({ opening, pricing, kit }: PageOwner, page: PageToLoad): Promise<Scraped> {
  const { id: group, team, filesAt } = opening
  const { task, request: pageRequest, readings = [], isUnlinked, listed, heldFor, hold, signal } = page
  const request = isRecorded(opening.request) ? { ...pageRequest, record: true } : pageRequest
  const id = pageId(opening, task)
  const key = taskKey(opening, task)
  const files = { filesAt, fileKey: fileKey(opening, key) }
  const caller = { team, id, task: key, signal, keep: false, ...files, group, hold, isUnlinked, listed }
  return withWait(await kit.scrapePage(request, caller, { readings, encoded: true, isOfJob: true, pricing }), heldFor)
}

/** Returns a load function that lets pages with the option `person` wait. */
export function loadUnlessWaiting(
  load: Load,
  { opening, kit }: Pick<PageOwner, 'opening'> & { kit: Pick<JobKit, 'scrape'> },
): Load {
  const { id, team, createdAt: startedAt } = opening
  return async (tools) => {
    const { request } = tools.page
    if (!request.person) return load(tools)
    const { signal } = tools.visit
    const done = await loadOrWait(kit.scrape, { request, team, id, startedAt }, signal, () => load(tools))
    return 'wait' in done ? { back: 'wait', over: done.wait.over } : done.loaded
  }
}

/** Describes a visit of a job for the wrappers that plugins add around work. */
export function workOf({ id, team, request }: Opening): BegunWork {
  return { id, team, request, isOfJob: true }
}

/** Returns the key under which the scrape of a task stores its files and other results. */
export function taskKey({ id }: Pick<Opening, 'id'>, task: number): string {
  return `${id}/${task}`
}

/** Records in the metadata how long the page was queued until its team had a free slot. */
function withWait(scraped: Scraped, heldFor: number | undefined): Scraped {
  if (heldFor === undefined) return scraped
  const { document } = scraped
  const metadata = { ...document.metadata, concurrencyLimited: true, concurrencyQueueDurationMs: heldFor }
  return { ...scraped, document: { ...document, metadata } }
}
