import { EngineError } from '@harvestman/ports'
import { formatValue } from '../../lib/format-value.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { DocumentIndex } from './document-index.ts'
import type { JobStorage } from './storage.ts'

/** View of a job, wherever it runs. */
export interface JobView extends Omit<Checkpoint, 'index' | 'failures'> {
  readonly storage: JobStorage
  readonly index: DocumentIndex
  /** Yields the positions of the segments with entries for the list of errors, in batches. */
  failures(): AsyncIterable<readonly number[]>
  /** Error that keeps the job from continuing, if the store is damaged. */
  readonly damage?: EngineError | undefined
  /** Resolves when the job may have changed. */
  changed(signal: AbortSignal): Promise<void>
}

/** Creates the error `not_found` for a job that does not exist or has expired. */
export function jobNotFound(id: unknown, what = 'job'): EngineError {
  const name = typeof id === 'string' ? id.slice(0, 100) : formatValue(id)
  return new EngineError('not_found', `The ${what} ${name} does not exist, or has expired.`)
}

/** Returns whether an error has the code `not_found`. */
export function isNotFound(error: unknown): boolean {
  return EngineError.is(error) && error.code === 'not_found'
}
