import type { Listed } from '../../scrape/caller.ts'
import type { Pricing } from '../../credits/pricing.ts'
import type { CreditHold } from '../../credits/hold.ts'
import type { Json } from '@harvestman/ports'
import type { PageRequest } from '../../schema/crawl.ts'
import type { WebhookEvent } from '../../schema/webhook.ts'
import type { ScrapeRequest } from '../../schema/scrape.ts'
import type { AnyDocument } from '../../scrape/document.ts'
import type { Reading } from '../../scrape/readings.ts'
import type { Scraped } from '../../scrape/scraped.ts'
import type { EndStatus, Fact, JobData, Opening } from '../log/facts.ts'
import type { StateInParts } from '../log/snapshot.ts'

/** A kind of job: how it comes by its pages. All else about jobs is the same for every kind. */
export interface JobKind {
  readonly name: string
  /** Public name of the kind: `crawl` makes the event `crawl.page`, and its requests are listed under it. */
  readonly publicName: string
  /** Pricing of its pages; each like a scrape, when absent. */
  readonly pricing?: Pricing
  /** Options that each of its pages is loaded with. A kind that gives them lets a live browser go on from a page. */
  pages?(opening: Pick<Opening, 'request'>): PageRequest
  /**
   * Readings of each of its pages in addition to the document. A kind with readings lets other engines load its pages.
   */
  readonly lends?: readonly Reading[]
  /** Reads the request of a job when a part of it is in notes; without it, the request is that of its opening. */
  asked?(opening: Opening, facts: AsyncIterable<Fact>): Promise<Json>
  /** Messages to its webhooks; about its pages, when absent. */
  readonly telling?: JobTelling
  open(opening: Opening, context: RunContext): Strategy
}

/** Messages to the webhooks of a kind of job, where they are not about pages. */
export interface JobTelling {
  /** The event that a fact is; nothing when it is of no concern outside. */
  event(fact: Fact): WebhookEvent | undefined
  /** Makes the `data` of its message. */
  data(fact: Fact, job: ToldJob): Promise<readonly Json[]>
}

/** A job as its telling sees it. */
export interface ToldJob {
  readonly opening: Opening
  creditsUsed(): Promise<number>
  documents(): AsyncIterable<AnyDocument>
}

/** Functions that a strategy has for its job. */
export interface RunContext {
  /** There are so many more pages to visit on a host. Nothing comes of it before the log was read. */
  offer(host: string, count?: number): void
  /** Asks the host for a pause between visits, in milliseconds. */
  slowDown(host: string, pause: number): void
  /** Keeps bytes that the job can do without. */
  scratch(name: string): Scratch
  /** Tells the operator of the engine. */
  warn(message: string, cause?: unknown): void
  /** Aborted when the job ends, or stops here. */
  readonly signal: AbortSignal
}

/**
 * Keeps something that `fold` is told of, now and whenever the log is read again. Resolves when it is kept: a strategy
 * with much to tell waits for that, so that a slow store does not fill the memory.
 */
export type KeepNotes = (notes: readonly JobData[]) => Promise<void>

export interface Scratch {
  write(part: number, bytes: Uint8Array): Promise<void>
  read(part: number): Promise<Uint8Array>
}

/** The way of one job through its pages. Its state follows from what `fold` was told, so it can be lost. */
export interface Strategy {
  /** Visits at once; without it as many as the team may. */
  readonly concurrency?: number | undefined
  /** Milliseconds between two visits to a host. */
  readonly delay?: number | undefined
  /** Takes in what happened: first all that the log says, then each thing as it happens. */
  fold(fact: Fact): void
  /** State that `fold` has made, in parts; without it a worker that takes the job up reads its whole log. */
  readonly inParts?: StateInParts | undefined
  /** Called once, after the log was read: offers what waits, and looks for pages elsewhere than on pages. */
  explore(note: KeepNotes): Promise<void>
  /** The next page to visit on a host; nothing when none is wanted any more. */
  take(host: string): JobTask | undefined
  /** Gives back a page that is to be tried again. */
  putBack(task: JobTask): void
  /** Says what to scrape or do for a task; or its outcome, when it needs nothing any more. */
  prepare(task: JobTask): PageToScrape | WorkToDo | { readonly outcome: PageOutcome }
  /** Takes in the page that was scraped for a task. What more it does is paid for from the hold of the page. */
  receive(task: JobTask, scraped: Scraped, hold: CreditHold): PageOutcome | Promise<PageOutcome>
  /** Pages that are known, wanted and not done. */
  left(): number
  /** The notes for a command that brings more to do. */
  more?(body: Json): readonly JobData[]
  /** Status that a job with nothing left to do ends with; completed, when absent. */
  verdict?(): { readonly status: EndStatus; readonly message?: string }
}

/** One page of a job. */
export interface JobTask {
  /** Unique in the job, and the same after a restart. */
  readonly number: number
  readonly url: string
  readonly host: string
}

export interface PageToScrape {
  readonly request: ScrapeRequest
  /** Further readings of the page, for `receive`. */
  readonly readings?: readonly Reading[]
  /** Nothing on the site leads to the page any more: it is known from earlier. */
  readonly isUnlinked?: boolean | undefined
  /** Time of the last change of the page, by the sitemap that lists it. */
  readonly listed?: Listed | undefined
}

/** Work that is more than a scrape. It takes the place of a page, is paid for like one, and gives a document like one. */
export interface WorkToDo {
  /** The least that it costs. It asks its hold for more as it goes on. */
  readonly credits: number
  readonly work: (visit: Attempt, hold: CreditHold) => Promise<PageOutcome>
}

/** One try at a task. */
export interface Attempt {
  /** The id of the scrape and of its page: the same in every attempt, and after every restart. */
  readonly id: string
  /** The key of the task, likewise. What a scrape leaves behind is kept by it. */
  readonly key: string
  readonly signal: AbortSignal
  /** The page is not tried again, whatever comes. */
  readonly isLast: boolean
}

export interface PageOutcome {
  /** Absent when the page turned out to be none of the job's. */
  readonly document?: AnyDocument | undefined
  /** Findings on the page, as notes. */
  readonly notes?: readonly JobData[]
}
