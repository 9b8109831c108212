import { EngineError, type ErrorCode, type ErrorDetails } from '@harvestman/ports'
import type { DocumentBound } from '@harvestman/threads'
import type { EncodedText, PlainText } from '../plugin/parts.ts'
import type { Reading } from './readings.ts'

/** Reads the tree of a page: wherever it does so, no page can stop the process. */
export interface Reader {
  read(task: ReadTask, signal: AbortSignal): Promise<ReadResult>
  close(): Promise<void>
}

export interface ReadTask {
  /** Bytes that are owned are moved to where they are read, and are empty here afterwards. */
  readonly source: PageSource
  readonly url: string
  /** The team whose page it is: teams come in turns. */
  readonly team: string
  readonly scope: Scope
  readonly wanted: readonly Reading[]
  /** The same version read for the same wants gives the same values, so it need not be read again. */
  readonly version: string | undefined
  /** The most that the values may hold. */
  readonly most: DocumentBound
}

/** A page, or a file of text. */
export type PageSource = { readonly html: string | EncodedText } | { readonly text: PlainText }

export interface Size {
  readonly bytes: number
  readonly values: number
}

/** Part of the page that counts as its content. */
export interface Scope {
  readonly onlyMainContent: boolean
  readonly includeTags: readonly string[]
  readonly excludeTags: readonly string[]
  /** Whether the HTML was made from a file, such as a PDF. */
  readonly isFile?: boolean
}

export interface ReadResult {
  /** Values by the name of the field. */
  readonly values: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
  /** Sizes of the values, by the name of the field. */
  readonly sizes: Readonly<Record<string, Size>>
  /** Failures of modules of plugins, by the name of the field. These fields have no value. */
  readonly failures?: Readonly<Record<string, ReadingFailure>> | undefined
}

/** Failure of a module of a plugin: the parts of an error. */
export interface ReadingFailure {
  readonly code: ErrorCode
  readonly message: string
  readonly details: ErrorDetails
  /** Stack of what the module threw. It is for the author of the plugin, not for callers over HTTP. */
  readonly cause?: string | undefined
}

/** Turns the failure of a module into an error. */
export function errorOfReading({ code, message, details, cause }: ReadingFailure): EngineError {
  return new EngineError(code, message, { details, ...(cause !== undefined && { cause: new Error(cause) }) })
}
