import type { z } from 'zod'

import type { Count } from '../plugin/price.ts'
import type { PageRequest } from '../schema/crawl.ts'
import type { Job } from './handle.ts'
import type { JobCaller, Jobs } from './jobs.ts'
import type { JobData, Opening } from './log/facts.ts'
import type { JobKind } from './run/strategy.ts'

/** A kind of job whose answer is its pages: what it is asked for, what that comes to, and how it is begun. */
export interface PageKind<Request extends JobData = JobData, Held extends Job = Job> extends JobKind {
  schema(): z.ZodType<Request>
  pages(opening: Pick<Opening, 'request'>): PageRequest
  /** The address of one of its pages: a request is planned and priced with that. */
  oneOf(request: Request): string
  /** Number of pages it may come to, and the word for them in a price. */
  count(request: Request): Count & { readonly what: string }
  /** It finds its pages itself, by rules of its own: a format may load none beside them. */
  readonly findsPages?: boolean
  /** Begins a job for a request that was checked, and can be planned here. */
  begin(request: Request, kit: BeginKit<Request>): Promise<Held>
}

export interface BeginKit<Request> {
  readonly caller: JobCaller
  readonly jobs: Jobs
  /** Reads the request once more, with options that it leaves open. */
  again(options: object): Request
  /** Refuses the pages of an opened job when the caller may not ask for them. */
  checkPages(opening: Pick<Opening, 'request'>): void
}
