export interface HarvestmanErrorOptions {
  readonly status?: number | undefined
  readonly code?: string | undefined
  readonly details?: unknown
  readonly requestId?: string | undefined
  readonly cause?: unknown
}

/** An error response of a server, or a failure to reach it. */
export class HarvestmanError extends Error {
  /** HTTP status; absent without a response. */
  readonly status: number | undefined
  /** Error code of the server, or `NETWORK`, `TIMEOUT` or `BAD_ANSWER` of this client. */
  readonly code: string
  /** For an invalid request: each problem with its `path` and `message`. */
  readonly details: unknown
  /** Request id in the server's log. */
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
