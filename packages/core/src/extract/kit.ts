import type { AnswerJob } from '../answers/answer.ts'
import type { JobCaller, Jobs } from '../jobs/jobs.ts'
import type { AnswerStatus } from '../plugin/job.ts'
import type { ExtractRequest } from '../schema/extract.ts'

export interface ExtractKit {
  readonly jobs: Jobs
  /** The pages of a site, those first that fit the words best. */
  addresses(site: WantedSite, team: string): Promise<readonly string[]>
  /** Pages that a search finds; absent where there is nothing to search. */
  search: ((words: string, limit: number, team: string) => Promise<readonly string[]>) | undefined
  /** Opens an agent. */
  agent(request: unknown, call: JobCaller): Promise<AnswerJob<AnswerStatus>>
}

export interface WantedSite {
  readonly url: string
  readonly words: string | undefined
  readonly request: ExtractRequest
}
