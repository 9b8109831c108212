// The doors whose answers have the type of the formats that their caller names.
import type { Crawl } from '../crawl/crawl.ts'
import type { Job, JobStatus } from '../jobs/handle.ts'
import type { JobListPage, JobQuery } from '../jobs/listing.ts'
import type { Plugin } from '../plugin/parts.ts'
import type { AnyDocument } from '../scrape/document.ts'
import type { ActionsOf, DocumentFor, FormatEntry, FormatsOf, KnownEntries } from '../types.ts'
import type { CrawlPlan } from '../crawl-plan/crawl-plan.ts'
import type { CrawlPlanInput } from '../schema/crawl-plan.ts'
import type { FindJob, JobCall, MapCall } from './job-call.ts'

type FormatList<Plugins extends readonly Plugin[]> = readonly FormatEntry<FormatsOf<Plugins>>[]

/** Of a job that was opened elsewhere no more is known than its finder says. */
type FoundDocument<Plugins extends readonly Plugin[], Formats extends readonly unknown[]> = [Formats] extends [never]
  ? AnyDocument
  : DocumentFor<Formats, FormatsOf<Plugins>, ActionsOf<Plugins>>

type FindBy<Plugins extends readonly Plugin[], Formats> = FindJob<Formats & KnownEntries<Formats, FormatsOf<Plugins>>>

/** What an engine does for jobs. */
export interface JobsHere {
  /** Jobs that it works on: it holds the lease of each. */
  readonly running: number
  /** Milliseconds since the one of them that has stood longest kept anything. */
  readonly longestStill: number
  /** Places for pages: `limits.concurrency`. */
  readonly places: number
  /** Of these, how many are taken; a quarter more may be, by teams that have few pages under way. */
  readonly taken: number
}

/** The jobs of an engine, when they are there. */
export interface JobDoors<Plugins extends readonly Plugin[] = readonly Plugin[]> {
  /** A job of many pages, by its id. Its documents are typed by the formats that you say it was asked for. */
  find<const Formats extends FormatList<Plugins> = never>(
    id: string,
    call?: FindBy<Plugins, Formats>,
  ): Promise<Job<FoundDocument<Plugins, Formats>>>
  /** A crawl, by its id. */
  findCrawl<const Formats extends FormatList<Plugins> = never>(
    id: string,
    call?: FindBy<Plugins, Formats>,
  ): Promise<Crawl<FoundDocument<Plugins, Formats>>>
  /** The crawls and batches that run. */
  running(call?: Pick<JobCall, 'team'>): Promise<readonly JobStatus[]>
  /** The jobs of a team that are kept, of every kind, newest first: a page of the list. */
  list(query?: JobQuery, call?: Pick<JobCall, 'team'>): Promise<JobListPage>
  /** The options that a language model gives a crawl in words: `{ url, prompt }`. Nothing is crawled. */
  planCrawl(request: CrawlPlanInput, call?: MapCall): Promise<CrawlPlan>
  /** How many jobs of all teams are not over, or have messages to send: what there is for workers to do. */
  count(): Promise<number>
  /** What this engine does for jobs now. */
  here(): JobsHere
  /** Goes on with jobs that were left when an engine on this store ended. Asking for any job does the same. */
  work(): Promise<void>
}

/** Crawls that a language model plans. */
export interface CrawlPlans extends Pick<JobDoors, 'planCrawl'> {
  /** The same for a crawl that was let in already. */
  readonly planFor: (input: unknown, call: Pick<MapCall, 'team' | 'signal'>) => Promise<CrawlPlan>
}
