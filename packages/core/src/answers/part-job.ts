// Public interface of jobs of the kinds that plugins add.
import type { AnswerStatus } from '../plugin/job.ts'
import type { AnswerJob } from './answer.ts'

/** Status of a job of a plugin's kind: its result, its request and the progress that the kind reports. */
export interface PartStatus extends AnswerStatus<unknown> {
  readonly request: unknown
  readonly [progress: string]: unknown
}

/** A job of a kind that a plugin adds. */
export interface PartJob extends AnswerJob<PartStatus> {
  /** Its thread and the number of the turn, for kinds with threads. */
  readonly thread?: { readonly id: string; readonly turn: number }
}
