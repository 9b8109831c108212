import type { Json } from '../../ports/value.ts'
import type { ScrapeRequest } from '../../schema/scrape.ts'
import type { AnyDocument } from '../../scrape/document.ts'
import type { Reading } from '../../scrape/readings.ts'
import type { Scraped } from '../../scrape/scrape.ts'
import type { EndStatus, Fact, Opening } from '../log/facts.ts'

/** A kind of job: how it comes by its pages. All else about jobs is the same for every kind. */
export interface JobKind {
  readonly name: string
  /** What its events are called to the outside: `crawl` makes `crawl.page`. */
  readonly eventPrefix: string
  open(opening: Opening, loader: RunContext): Strategy
}

/** What a strategy may do for its job. */
export interface RunContext {
  /**
   * Keeps something that `fold` is told of, now and whenever the log is read again. Resolves when it is kept: who has
   * much to tell waits for that, so that a slow store does not fill the memory.
   */
  note(notes: readonly Json[]): Promise<void>
  /** There are so many more pages to visit on a host. */
  offer(host: string, count?: number): void
  /** Asks the host for a pause between visits, in milliseconds. */
  slowDown(host: string, pause: number): void
  /** Keeps bytes that the job can do without. */
  scratch(name: string): Scratch
  /** Tells whoever runs the engine. */
  warn(message: string, cause?: unknown): void
  /** Aborted when the job ends, or stops here. */
  readonly signal: AbortSignal
}

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
  /** Called once, after the log was read: offers what waits, and looks for pages elsewhere than on pages. */
  explore(): Promise<void>
  /** The next page to visit on a host; nothing when none is wanted any more. */
  take(host: string): JobTask | undefined
  /** Gives back a page that is to be tried again. */
  putBack(task: JobTask): void
  /** What is to be scraped for a task; or what came of it, when it needs no scrape any more. */
  prepare(task: JobTask): PageToScrape | { readonly outcome: PageOutcome }
  /** Takes in the page that was scraped for a task. */
  receive(task: JobTask, scraped: Scraped): PageOutcome | Promise<PageOutcome>
  /** Pages that are known, wanted and not done. */
  left(): number
  /** Follows a letter that brings more to do. */
  more?(body: Json): void
  /** How a job ends that has nothing left to do; completed, when it does not say. */
  verdict?(): { readonly status: EndStatus; readonly message?: string }
}

/** One page of a job. */
export interface JobTask {
  /** Unique in the job. */
  readonly number: number
  readonly url: string
  readonly host: string
}

export interface PageToScrape {
  readonly request: ScrapeRequest
  /** What else is read from the page, for `receive`. */
  readonly readings?: readonly Reading[]
}

export interface Attempt {
  /** The id of the scrape. */
  readonly id: string
  /** The key of the task: the same in every attempt, and after every restart. */
  readonly key: string
  readonly signal: AbortSignal
  /** The page is not tried again, whatever comes. */
  readonly isLast: boolean
}

export interface PageOutcome {
  /** Absent when the page turned out to be none of the job's. */
  readonly document?: AnyDocument | undefined
  /** What was found on it, as notes. */
  readonly notes?: readonly Json[]
}
