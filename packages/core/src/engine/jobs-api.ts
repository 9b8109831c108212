// Job functions whose documents are typed by the formats in the call.
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

/** Type of a document of a job found by id; `AnyDocument` if the call names no formats. */
type FoundDocument<Plugins extends readonly Plugin[], Formats extends readonly unknown[]> = [Formats] extends [never]
  ? AnyDocument
  : DocumentFor<Formats, FormatsOf<Plugins>, ActionsOf<Plugins>>

type FindBy<Plugins extends readonly Plugin[], Formats> = FindJob<Formats & KnownEntries<Formats, FormatsOf<Plugins>>>

/** Work of an engine on jobs. */
export interface LocalJobCounts {
  /** Number of jobs it runs, that is, whose leases it holds. */
  readonly running: number
  /** Milliseconds since the job that has been idle the longest stored anything; 0 if no job is running. */
  readonly idleFor: number
  /** Its concurrency limit for pages: `limits.concurrency`. */
  readonly places: number
  /** Number of pages it is loading. Teams with few running pages may exceed the limit by a quarter. */
  readonly taken: number
  /** Number of pages of its jobs that other engines are loading. */
  readonly lent: number
  /** Number of undelivered webhook messages of its jobs. */
  readonly unsent: number
}

/** Jobs of an engine. */
export interface JobsApi<Plugins extends readonly Plugin[] = readonly Plugin[]> {
  /** Finds a job of any kind by its id. `formats` in the call determine the type of its documents. */
  find<const Formats extends FormatList<Plugins> = never>(
    id: string,
    call?: FindBy<Plugins, Formats>,
  ): Promise<Job<FoundDocument<Plugins, Formats>>>
  /** Finds a crawl by its id. */
  findCrawl<const Formats extends FormatList<Plugins> = never>(
    id: string,
    call?: FindBy<Plugins, Formats>,
  ): Promise<Crawl<FoundDocument<Plugins, Formats>>>
  /** Returns the running jobs of a team, if the scopes of the call include their kinds. */
  running(call?: ReadCall): Promise<readonly JobStatus[]>
  /** Lists the stored jobs of a team whose kinds the scopes of the call include, newest first. Returns one page of the list. */
  list(query?: JobQuery, call?: ReadCall): Promise<JobListPage>
  /** Returns the crawl options that a language model proposes for `{ url, prompt }`. Starts no crawl. */
  planCrawl(request: CrawlPlanInput, call?: MapCall): Promise<CrawlPlan>
  /** Counts the jobs of all teams that have not ended or have undelivered messages. */
  count(): Promise<number>
  /** Like `count`, by team. */
  countByTeam(): Promise<Readonly<Record<string, number>>>
  /** Returns the current work of this engine on jobs. */
  here(): LocalJobCounts
  /** Resumes open jobs on this store whose engines have ended. Finding any job does the same. */
  work(): Promise<void>
}

/** Functions that plan crawls with a language model. */
export interface CrawlPlans extends Pick<JobsApi, 'planCrawl'> {
  /** Plans a crawl for a request that is already admitted. */
  readonly planFor: (input: unknown, call: Pick<MapCall, 'team' | 'signal'>) => Promise<CrawlPlan>
}
