import type { EncodedText } from '../plugin/parts.ts'
import type { Reading } from './readings.ts'

/** Reads the tree of a page: wherever it does so, no page can stop the process. */
export interface Reader {
  read(task: ReadTask, signal: AbortSignal): Promise<ReadResult>
  close(): Promise<void>
}

export interface ReadTask {
  /** Bytes that are owned are moved to where they are read, and are empty here afterwards. */
  readonly html: string | EncodedText
  readonly url: string
  /** Whose page it is: teams come in turns. */
  readonly team: string
  readonly scope: Scope
  readonly wanted: readonly Reading[]
  /** The same version read for the same wants gives the same values, so it need not be read again. */
  readonly version: string | undefined
}

/** Which part of the page is its content. */
export interface Scope {
  readonly onlyMainContent: boolean
  readonly includeTags: readonly string[]
  readonly excludeTags: readonly string[]
}

export interface ReadResult {
  /** By the name of the field. */
  readonly values: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}
