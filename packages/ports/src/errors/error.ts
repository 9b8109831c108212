import { errorCodes, type ErrorCode } from './codes.ts'

// A registered symbol, so that two copies of this package in one process recognize each other's errors.
const mark = Symbol.for('harvestman.error')

/** Options of an error, in addition to its message. */
export interface EngineErrorOptions {
  readonly details?: ErrorDetails
  readonly cause?: unknown
}

/** Machine-readable details of an error. */
export type ErrorDetails = Readonly<Record<string, unknown>>

/** The only error class of the engine. The message states the problem, then the remedy. */
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

  /** Returns what `JSON.stringify` prints, which would omit the message otherwise. Cause and stack are not included. */
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
