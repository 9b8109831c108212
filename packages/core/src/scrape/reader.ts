import { EngineError, type ErrorCode, type ErrorDetails, type HiddenMarks } from '@harvestman/ports'
import type { DocumentBound } from '@harvestman/threads'
import type { EncodedText, PlainText } from '../plugin/parts.ts'
import type { Reading } from './readings.ts'

/** Reads values from the DOM of a page, so that no page can block or crash the process. */
export interface Reader {
  read(task: ReadTask, signal: AbortSignal): Promise<ReadResult>
  close(): Promise<void>
}

export interface ReadTask {
  /** Owned bytes are transferred to the reader and are empty here afterwards. */
  readonly source: PageSource
  /** Elements of an HTML page that a browser does not show. Absent if they were not determined. */
  readonly hidden?: HiddenMarks | undefined
  readonly url: string
  /** Team of the page. Teams take turns. */
  readonly team: string
  readonly scope: Scope
  readonly wanted: readonly Reading[]
  /** Version of the page for caching: the same version with the same readings gives the same values. */
  readonly version: string | undefined
  /** Maximum size of the values. */
  readonly most: DocumentBound
}

/** An HTML page or a plain text file. */
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
  /** True if the HTML was made from a file, such as a PDF. */
  readonly isFile?: boolean
}

export interface ReadResult {
  /** Values by field. */
  readonly values: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
  /** Sizes of the values, by field. */
  readonly sizes: Readonly<Record<string, Size>>
  /** Failures of plugin modules, by field. These fields have no value. */
  readonly failures?: Readonly<Record<string, ReadingFailure>> | undefined
}

/** Failure of a plugin module, as the parts of an error. */
export interface ReadingFailure {
  readonly code: ErrorCode
  readonly message: string
  readonly details: ErrorDetails
  /** Stack trace for the author of the plugin; not shown to callers over HTTP. */
  readonly cause?: string | undefined
}

/** Converts the failure of a module to an error. */
export function errorOfReading({ code, message, details, cause }: ReadingFailure): EngineError {
  return new EngineError(code, message, { details, ...(cause !== undefined && { cause: new Error(cause) }) })
}
