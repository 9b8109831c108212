import type { Checkpoint, JobStorage } from './checkpoint.ts'
import type { DocumentIndex } from './document-index.ts'

/** How a job stands, wherever it runs. */
export interface JobView extends Pick<Checkpoint, 'opening' | 'tally' | 'left' | 'places' | 'failures'> {
  readonly storage: JobStorage
  readonly contents: DocumentIndex
  /** Resolves when there may be something new to see. */
  changed(signal: AbortSignal): Promise<void>
}
