export interface HarvestmanErrorOptions {
  readonly status?: number | undefined
  readonly code?: string | undefined
  readonly details?: unknown
  readonly requestId?: string | undefined
  readonly cause?: unknown
}

/** What a server has refused, or why it could not be asked. */
export class HarvestmanError extends Error {
  /** The status of the answer; absent when there was none. */
  readonly status: number | undefined
  /** What is wrong, for programs: a code of the server, or `NETWORK`, `TIMEOUT`, `BAD_ANSWER` of this client. */
  readonly code: string
  /** For a request that is not valid: each problem with its `path` and its `message`. */
  readonly details: unknown
  /** The name of the request in the log of the server. */
  readonly requestId: string | undefined

  constructor(message: string, { status, code = 'UNKNOWN', details, requestId, cause }: HarvestmanErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'HarvestmanError'
    this.status = status
    this.code = code
    this.details = details
    this.requestId = requestId
  }
}
