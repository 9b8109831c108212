// The doors whose answers have the type of the formats that their caller names.
import type { Crawl } from '../crawl/crawl.ts'
import type { Job, JobStatus } from '../jobs/handle.ts'
import type { JobListPage, JobQuery } from '../jobs/listing.ts'
import type { Plugin } from '../plugin/parts.ts'
import type { AnyDocument } from '../scrape/document.ts'
import type { ActionsOf, DocumentFor, FormatEntry, FormatsOf, KnownEntries } from '../types.ts'
import type { CrawlPlan } from '../crawl-plan/crawl-plan.ts'
import type { CrawlPlanInput } from '../schema/crawl-plan.ts'
import type { FindJob, MapCall, ReadCall } from './job-call.ts'

type FormatList<Plugins extends readonly Plugin[]> = readonly FormatEntry<FormatsOf<Plugins>>[]

/** Document of a job found by id: without formats given to the finder, its type is not known. */
type FoundDocument<Plugins extends readonly Plugin[], Formats extends readonly unknown[]> = [Formats] extends [never]
  ? AnyDocument
  : DocumentFor<Formats, FormatsOf<Plugins>, ActionsOf<Plugins>>

type FindBy<Plugins extends readonly Plugin[], Formats> = FindJob<Formats & KnownEntries<Formats, FormatsOf<Plugins>>>

/** The work of an engine on jobs. */
export interface JobsHere {
  /** The jobs it runs, whose leases it holds. */
  readonly running: number
  /** Milliseconds since the slowest of them last stored anything. */
  readonly longestStill: number
  /** Its page slots: `limits.concurrency`. */
  readonly places: number
  /** The used page slots. Teams with few running pages may use a quarter more. */
  readonly taken: number
  /** Pages of its jobs that other engines are loading. */
  readonly lent: number
  /** Messages to the webhooks of its jobs that were not delivered yet. */
  readonly unsent: number
}

/** The jobs of an engine. */
export interface JobDoors<Plugins extends readonly Plugin[] = readonly Plugin[]> {
  /** Finds a crawl or batch by its id. The formats you name type its documents. */
  find<const Formats extends FormatList<Plugins> = never>(
    id: string,
    call?: FindBy<Plugins, Formats>,
  ): Promise<Job<FoundDocument<Plugins, Formats>>>
  /** Finds a crawl by its id. */
  findCrawl<const Formats extends FormatList<Plugins> = never>(
    id: string,
    call?: FindBy<Plugins, Formats>,
  ): Promise<Crawl<FoundDocument<Plugins, Formats>>>
  /** The running crawls and batches. */
  running(call?: ReadCall): Promise<readonly JobStatus[]>
  /** The stored jobs of a team, of every kind that the scopes of the call have, newest first: one page of the list. */
  list(query?: JobQuery, call?: ReadCall): Promise<JobListPage>
  /** The crawl options that a language model proposes for `{ url, prompt }`. Nothing is crawled. */
  planCrawl(request: CrawlPlanInput, call?: MapCall): Promise<CrawlPlan>
  /** Counts the jobs of all teams that are unfinished or have messages to send. */
  count(): Promise<number>
  /** The same by team. */
  countByTeam(): Promise<Readonly<Record<string, number>>>
  /** The current work of this engine on jobs. */
  here(): JobsHere
  /** Resumes unfinished jobs of engines that ended on this store. Finding any job does the same. */
  work(): Promise<void>
}

/** Crawls that a language model plans. */
export interface CrawlPlans extends Pick<JobDoors, 'planCrawl'> {
  /** The same for a crawl that was let in already. */
  readonly planFor: (input: unknown, call: Pick<MapCall, 'team' | 'signal'>) => Promise<CrawlPlan>
}
