import { errorCodes, type ErrorCode } from './codes.ts'

// A registered symbol, so that two copies of this package in one process still know each other's errors.
const mark = Symbol.for('harvestman.error')

/** Options of an error, beside its message. */
export interface EngineErrorOptions {
  readonly details?: ErrorDetails
  readonly cause?: unknown
}

/** Facts for programs, beside the message. */
export type ErrorDetails = Readonly<Record<string, unknown>>

/** The one class of error. The message says what happened, then what to do. */
export class EngineError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, options: EngineErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'EngineError'
    this.code = code
    this.details = options.details ?? {}
    Object.defineProperty(this, mark, { value: true })
  }

  /** Returns what `JSON.stringify` prints: of an error it hides the message otherwise. Cause and stack stay inside. */
  toJSON(): {
    readonly name: string
    readonly code: ErrorCode
    readonly message: string
    readonly details: ErrorDetails
  } {
    const { name, code, message, details } = this
    return { name, code, message, details }
  }

  get retryable(): boolean {
    return errorCodes[this.code].retryable
  }

  static is(value: unknown): value is EngineError {
    return typeof value === 'object' && value !== null && mark in value
  }
}
