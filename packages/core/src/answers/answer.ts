// Handles of jobs that have a single result.
import type { z } from 'zod'

import { EngineError, type Json } from '@harvestman/ports'
import type { Job, JobStatus } from '../jobs/handle.ts'
import type { Fact } from '../jobs/log/facts.ts'
import type { JobWebhookMessages, ReportedJob } from '../jobs/run/strategy.ts'
import type { AnswerStatus } from '../plugin/job.ts'

/** A job with a single result. It runs whether or not a process has a handle. */
export interface AnswerJob<Status> {
  readonly id: string
  status(): Promise<Status>
  /** Cancels the job. Resolves to whether this call ended it. */
  cancel(): Promise<boolean>
  /** Resolves when the job has ended. */
  end(options?: { readonly signal?: AbortSignal }): Promise<Status>
}

/** Reads the result of a completed job. */
export type ReadAnswer<Data> = (job: Job, status: JobStatus) => Promise<Data>

/**
 * Creates the handle of a job with a single result. `say` converts the status of the job. Calls reject with `not_found` once
 * the job has expired.
 */
export function answerJob<Status>(job: Job, say: (status: JobStatus) => Promise<Status>): AnswerJob<Status> {
  return {
    id: job.id,
    status: async () => say(await job.status()),
    cancel: () => job.cancel(),
    end: async (options) => say(await job.end(options)),
  }
}

/**
 * Returns the status of a job with its result. A running job is `processing`. A job that ended without a document has failed.
 */
export async function answerOf<Data>(job: Job, status: JobStatus, read: ReadAnswer<Data>): Promise<AnswerStatus<Data>> {
  const { id, creditsUsed, createdAt, completedAt, expiresAt, message, completed } = status
  const base = { id, creditsUsed, createdAt, ...(completedAt && { finishedAt: completedAt }), expiresAt }
  if (status.status === 'scraping') return { ...base, status: 'processing' }
  if (status.status === 'cancelled') return { ...base, status: 'cancelled' }
  if (status.status === 'failed' || completed === 0)
    return { ...base, status: 'failed', error: message ?? (await firstError(job)) }
  const warning = message === undefined ? {} : { warning: message }
  return { ...base, status: 'completed', data: await read(job, status), ...warning }
}

/**
 * Returns the message of the first error of a job that has no result, or a general message if the job has no errors. Rejects if
 * the errors cannot be read.
 */
export async function firstError(job: Pick<Job, 'errors'>): Promise<string> {
  const { errors } = await job.errors()
  return errors[0]?.error ?? 'The job failed and gave no reason.'
}

/**
 * Returns the result of a job that is a single operation; `null` if there is no result. Rejects if the job cannot be read.
 */
export async function firstValue({ documents }: Pick<Job, 'documents'>): Promise<Json> {
  for await (const { json } of documents()) return json as Json
  return null
}

/**
 * Parses a stored request with its schema, because another version may have stored it. Throws `internal` if it does not fit.
 */
export function parseStored<Schema extends z.ZodType>(schema: Schema, stored: unknown): z.output<Schema> {
  const { success, data } = schema.safeParse(stored)
  if (success) return data
  throw new EngineError(
    'internal',
    'The request of this job was stored by another version, and cannot be read by this one.',
  )
}

/** Creates webhook messages for the start and the end of a job and, with `steps`, for its steps, but not for pages. */
export function jobWebhookMessages(
  data: (job: ReportedJob) => Promise<Json>,
  steps?: StepWebhookMessages,
): JobWebhookMessages {
  return {
    event: (fact) => {
      if (fact.is === 'opened') return 'started'
      if (fact.is === 'ended') return fact.status
      return steps?.isAction(fact) ? 'action' : undefined
    },
    data: async (fact, job) => {
      if (fact.is === 'ended') return fact.status === 'completed' ? [await data(job)] : (steps?.ended ?? [])
      return steps?.isAction(fact) ? [steps.action(fact)] : []
    },
  }
}

/** Webhook messages about the steps of a job. */
export interface StepWebhookMessages {
  isAction(fact: Fact): boolean
  action(fact: Fact): Json
  /** Payload of the last message of a job without a result. */
  readonly ended: readonly Json[]
}
