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

/** A kind of job. Defines how its pages are found; everything else about jobs is common to all kinds. */
export interface JobKind {
  readonly name: string
  /** Public name: `crawl` gives the event `crawl.page`, and lists its requests under `crawl`. */
  readonly publicName: string
  /** Pricing of its pages. Default: the pricing of scrapes. */
  readonly pricing?: Pricing
  /** Returns the options with which every page is loaded. Required for continuing from a page in a live browser. */
  pages?(opening: Pick<Opening, 'request'>): PageRequest
  /** Values to read from each page in addition to the document. If set, other engines may load its pages. */
  readonly remoteReadings?: readonly Reading[]
  /** Returns the full request of a job if part of it is in notes. Default: the request of the opening. */
  fullRequest?(opening: Opening, facts: AsyncIterable<Fact>): Promise<Json>
  /** Custom webhook messages. By default, they are about pages. */
  readonly telling?: JobWebhookMessages
  /** Functions that load the code for the first job of this kind, in parts. They send and store nothing. */
  readonly warmUps?: readonly (() => Promise<unknown>)[]
  open(opening: Opening, context: RunContext): Strategy | Promise<Strategy>
}

/** Webhook messages of a kind of job, if they are not about pages. */
export interface JobWebhookMessages {
  /** Returns the event of a fact, or `undefined` if it is not public. */
  event(fact: Fact): WebhookEvent | undefined
  /** Returns the `data` of the event's message. */
  data(fact: Fact, job: ReportedJob): Promise<readonly Json[]>
}

/** A job as seen by its `JobTelling`. */
export interface ReportedJob {
  readonly opening: Opening
  creditsUsed(): Promise<number>
  documents(): AsyncIterable<AnyDocument>
}

/** Functions that a strategy may call for its job. */
export interface RunContext {
  /** Id of the job. */
  readonly id: string
  /** Announces `count` more pages to visit on a host. No visits start until the log has been read. */
  offer(host: string, count?: number): void
  /** Sets a delay between visits to a host, in milliseconds. */
  slowDown(host: string, pause: number): void
  /** Returns temporary storage for this run. A later run of the job cannot read it. */
  scratch(name: string): Scratch
  /** Logs a warning for the operator of the engine. */
  warn(message: string, cause?: unknown): void
  /** Aborts when the job ends or stops in this engine. */
  readonly signal: AbortSignal
}

/**
 * Stores notes. `fold` receives them now and whenever the log is read again. Resolves when they are stored: a strategy with
 * many notes must await this, so that a slow store does not fill the memory.
 */
export type KeepNotes = (notes: readonly JobData[]) => Promise<void>

/** Temporary storage of a run, in numbered parts. */
export interface Scratch {
  write(part: number, bytes: Uint8Array): Promise<void>
  read(part: number): Promise<Uint8Array>
}

/** Chooses the pages of one job. Its state is derived from the facts given to `fold`, so it can be rebuilt. */
export interface Strategy {
  /** Maximum number of concurrent visits. Default: the limit of the team. */
  readonly concurrency?: number | undefined
  /** Milliseconds between two visits to a host. */
  readonly delay?: number | undefined
  /** Applies a fact: first all facts of the log, then each new one. */
  fold(fact: Fact): void
  /** Snapshot support for the state built by `fold`. Without it, a worker that takes the job reads the whole log. */
  readonly inParts?: StateInParts | undefined
  /** Called once, after the log has been read. Offers the known pages and discovers pages from sources other than pages. */
  explore(note: KeepNotes): Promise<void>
  /** Removes and returns the next page to visit on a host, or `undefined` if there is none. */
  take(host: string): JobTask | undefined
  /** Returns a page to the queue for another attempt. */
  putBack(task: JobTask): void
  /** Returns what to scrape or do for a task, or its outcome if nothing needs to be done. */
  prepare(task: JobTask): PageToScrape | WorkToDo | { readonly outcome: PageOutcome }
  /** Processes the scraped page of a task. Further work is paid from the hold of the page. */
  receive(task: JobTask, scraped: Scraped, hold: CreditHold): PageOutcome | Promise<PageOutcome>
  /** Returns the number of known, wanted and unfinished pages. */
  left(): number
  /** Returns the notes for a `more` command. */
  more?(body: Json): readonly JobData[]
  /** Returns the final status of a job with nothing left to do; completed if absent. */
  verdict?(): { readonly status: EndStatus; readonly message?: string }
}

/** One page of a job. */
export interface JobTask {
  /** Unique within the job and stable across restarts. */
  readonly number: number
  readonly url: string
  readonly host: string
}

/** A page to scrape for a task. */
export interface PageToScrape {
  readonly request: ScrapeRequest
  /** Values to read from the page in addition to its document, for `receive`. */
  readonly readings?: readonly Reading[]
  /** True if the page has no incoming links any more and is known only from an earlier crawl. */
  readonly isUnlinked?: boolean | undefined
  /** When the page last changed, according to the sitemap or feed that lists it. */
  readonly listed?: Listed | undefined
}

/** Work other than a scrape, in place of a page: it is charged like a page and produces a document. */
export interface WorkToDo {
  /** Minimum price. The work reserves more from its hold as needed. */
  readonly credits: number
  readonly work: (visit: Attempt, hold: CreditHold) => Promise<PageOutcome>
}

/** One attempt at a task. */
export interface Attempt {
  /** Id of the scrape and of its page, the same for every attempt and after every restart. */
  readonly id: string
  /** Key of the task, equally stable. The scrape stores its files and other results under it. */
  readonly key: string
  readonly signal: AbortSignal
  /** True if the page is not retried, whatever the result. */
  readonly isLast: boolean
}

/** Result of a task. */
export interface PageOutcome {
  /** Absent if the page does not belong to the job after all. */
  readonly document?: AnyDocument | undefined
  /** Notes about the page, stored with it in one write. */
  readonly notes?: readonly JobData[]
  /**
   * Groups of notes that are stored before the page, each group in a write of its own, because all of them would be a long one.
   * After a crash in between, the page is processed again, with the notes of the stored groups folded.
   */
  readonly earlierNotes?: readonly (readonly JobData[])[]
}
