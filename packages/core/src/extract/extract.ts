// One value from many pages: each is read by the format json in the shape of the schema, and what they give is merged.
import { firstError, type AnswerJob } from '../answers/answer.ts'
import type { AnswerStatus } from '../plugin/job.ts'
import { notesOf } from '../batch/batch.ts'
import { tariff } from '../credits/tariff.ts'
import { EngineError, type Json } from '@harvestman/ports'
import type { Job, JobStatus } from '../jobs/handle.ts'
import type { JobCaller, Jobs } from '../jobs/jobs.ts'
import type { ExtractRequest } from '../schema/extract.ts'
import type { ExtractKit } from './kit.ts'
import { agentRequestOf, pagesFor } from './pages.ts'
import { extractKind } from './strategy.ts'
import { valueOf } from './value.ts'

/** A job whose pages give one value. */
export interface Extraction<Data = Json> {
  readonly id: string
  /** The addresses of the request that are none. */
  readonly invalidURLs: readonly string[]
  status(): Promise<ExtractStatus<Data>>
  /** Ends the job. Resolves to whether this did it. */
  cancel(): Promise<boolean>
  /** Resolves when the job has ended. */
  end(options?: { readonly signal?: AbortSignal }): Promise<ExtractStatus<Data>>
}

/** How an extract stands. */
export interface ExtractStatus<Data = Json> {
  readonly id: string
  readonly status: 'processing' | 'completed' | 'failed' | 'cancelled'
  /** There when it is completed. */
  readonly data?: Data
  /** For each field, the pages it is from; only for who asked. */
  readonly sources?: Readonly<Record<string, readonly string[]>>
  /** Why it failed. */
  readonly error?: string
  /** What is odd about the data. */
  readonly warning?: string
  /** What came of each page; only for who asked. */
  readonly urlTrace?: readonly TracedUrl[]
  readonly creditsUsed: number
  readonly expiresAt: string
}

export interface TracedUrl {
  readonly url: string
  readonly status: 'scraped' | 'error'
  readonly statusCode?: number
  readonly error?: string
  readonly usedInCompletion: boolean
}

/** Opens a job for the pages that the addresses stand for, and for those that are found by the prompt. */
export async function openExtract(request: ExtractRequest, call: JobCaller, kit: ExtractKit): Promise<Extraction> {
  if (request.agent) return byAgent(await kit.agent(agentRequestOf(request), call))
  const { urls, invalidURLs } = await pagesFor(request, call.team, kit)
  if (urls.length === 0) throw new EngineError('invalid_request', 'urls: none of them is the address of a page.')
  const job = await kit.jobs.open({
    ...call,
    kind: extractKind,
    about: request.urls[0] ?? urls[0] ?? '',
    request,
    notes: notesOf(urls),
    left: urls.length,
    credits: Math.min(urls.length * tariff.page, request.maxCredits ?? Infinity),
  })
  return extractionOf(job, invalidURLs)
}

/** To an extract, a job of another kind is not there. */
export async function findExtract(id: string, team: string, jobs: Jobs): Promise<Extraction> {
  const job = await jobs.find(id, team)
  if (job.kind === extractKind) return extractionOf(job, [])
  throw new EngineError('not_found', 'There is no extract under this id, or it has expired.')
}

function extractionOf(job: Job, invalidURLs: readonly string[]): Extraction {
  const status = async (): Promise<ExtractStatus> => statusFrom(job, await job.status())
  return {
    id: job.id,
    invalidURLs,
    status,
    cancel: () => job.cancel(),
    end: async (options) => statusFrom(job, await job.end(options)),
  }
}

async function statusFrom(job: Job, { status, completed, message, ...rest }: JobStatus): Promise<ExtractStatus> {
  const { id, creditsUsed, expiresAt } = rest
  const base = { id, creditsUsed, expiresAt }
  const asked: unknown = rest.request
  const request = asked as ExtractRequest
  if (status === 'scraping') return { ...base, status: 'processing' }
  const trace = request.urlTrace ? { urlTrace: await traceOf(job) } : {}
  if (status === 'cancelled') return { ...base, ...trace, status }
  if (status === 'failed' || completed === 0)
    return { ...base, ...trace, status: 'failed', error: message ?? (await firstError(job)) }
  const { data, sources, warning } = await valueOf(job, request)
  const warnings = [message, warning].filter((one) => one !== undefined)
  return {
    ...base,
    ...trace,
    status: 'completed',
    data,
    ...(request.showSources && { sources }),
    ...(warnings.length > 0 && { warning: warnings.join(' ') }),
  }
}

async function traceOf(job: Job): Promise<readonly TracedUrl[]> {
  const traced: TracedUrl[] = []
  for await (const { json, metadata } of job.documents()) {
    const isUsed = json !== undefined && json !== null
    traced.push({
      url: metadata.sourceURL,
      status: 'scraped',
      statusCode: metadata.statusCode,
      usedInCompletion: isUsed,
    })
  }
  const { errors } = await job.errors()
  return [
    ...traced,
    ...errors.map(({ url, error }): TracedUrl => ({ url, status: 'error', error, usedInCompletion: false })),
  ]
}

/** An agent that stands in for an extract. It has one answer, and does not say which field is from where. */
function byAgent({ id, status, cancel, end }: AnswerJob<AnswerStatus>): Extraction {
  return { id, invalidURLs: [], status, cancel, end }
}
