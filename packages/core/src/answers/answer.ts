// Jobs that have one answer, as a caller holds them.
import type { z } from 'zod'

import { EngineError, type Json } from '@harvestman/ports'
import type { Job, JobStatus } from '../jobs/handle.ts'
import type { Fact } from '../jobs/log/facts.ts'
import type { JobTelling, ToldJob } from '../jobs/run/strategy.ts'
import type { AnswerStatus } from '../plugin/job.ts'

/** A job that has one answer. It goes on whether or not a program holds this. */
export interface AnswerJob<Status> {
  readonly id: string
  status(): Promise<Status>
  /** Ends the job. Resolves to whether this did it. */
  cancel(): Promise<boolean>
  /** Resolves when the job has ended. */
  end(options?: { readonly signal?: AbortSignal }): Promise<Status>
}

/** Reads the data of an answer from its job, once there is an answer. */
export type ReadAnswer<Data> = (job: Job, status: JobStatus) => Promise<Data>

export function answerJob<Status>(job: Job, say: (status: JobStatus) => Promise<Status>): AnswerJob<Status> {
  return {
    id: job.id,
    status: async () => say(await job.status()),
    cancel: () => job.cancel(),
    end: async (options) => say(await job.end(options)),
  }
}

/** A job that has ended without a document has no answer. */
export async function answerOf<Data>(job: Job, status: JobStatus, read: ReadAnswer<Data>): Promise<AnswerStatus<Data>> {
  const { id, creditsUsed, createdAt, expiresAt, message, completed } = status
  const base = { id, creditsUsed, createdAt, expiresAt }
  if (status.status === 'scraping') return { ...base, status: 'processing' }
  if (status.status === 'cancelled') return { ...base, status: 'cancelled' }
  if (status.status === 'failed' || completed === 0)
    return { ...base, status: 'failed', error: message ?? (await firstError(job)) }
  const warning = message === undefined ? {} : { warning: message }
  return { ...base, status: 'completed', data: await read(job, status), ...warning }
}

export async function firstError(job: Pick<Job, 'errors'>): Promise<string> {
  const { errors } = await job.errors()
  return errors[0]?.error ?? 'It came to nothing.'
}

/** The answer of a job that is one piece of work. */
export async function firstValue({ documents }: Pick<Job, 'documents'>): Promise<Json> {
  for await (const { json } of documents()) return json as Json
  return null
}

/** Reads a kept request by its schema: it may be of another version. */
export function readKept<Schema extends z.ZodType>(schema: Schema, kept: unknown): z.output<Schema> {
  const { success, data } = schema.safeParse(kept)
  if (success) return data
  throw new EngineError(
    'internal',
    'What this job was asked for was kept by another version, which cannot be read here.',
  )
}

/** Tells of the beginning and the end, and of no page. */
export function tellingOf(data: (job: ToldJob) => Promise<Json>, steps?: StepTelling): JobTelling {
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

/** Messages about the steps of a job. */
export interface StepTelling {
  isAction(fact: Fact): boolean
  action(fact: Fact): Json
  /** Payload of the end of a job that has no answer. */
  readonly ended: readonly Json[]
}
