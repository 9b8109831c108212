import type { z } from 'zod'

import type { PageCounts } from '../plugin/price.ts'
import type { PageRequest } from '../schema/crawl.ts'
import type { Job } from './handle.ts'
import type { JobCaller, Jobs } from './jobs.ts'
import type { JobData, Opening } from './log/facts.ts'
import type { JobKind } from './run/strategy.ts'

/** A kind of job whose result is its pages: its request schema, its price estimate and how it starts. */
export interface PageKind<Request extends JobData = JobData, Held extends Job = Job> extends JobKind {
  schema(): z.ZodType<Request>
  pages(opening: Pick<Opening, 'request'>): PageRequest
  /** Returns the URL of an example page, used to plan and price a request. */
  oneOf(request: Request): string
  /** Returns the expected number of pages and the noun for them in a price. */
  count(request: Request): PageCounts & { readonly what: string }
  /** True if the kind discovers its pages itself, so that formats may not load further pages. */
  readonly findsPages?: boolean
  /** Starts a job for a validated request that this engine can execute. */
  begin(request: Request, kit: BeginKit<Request>): Promise<Held>
}

export interface BeginKit<Request> {
  readonly caller: JobCaller
  readonly jobs: Jobs
  /** Validates the request again, with further options filled in. */
  again(options: object): Request
  /** Throws if the caller may not request the pages of an opened job. */
  checkPages(opening: Pick<Opening, 'request'>): void
}
