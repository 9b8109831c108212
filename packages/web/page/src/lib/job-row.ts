/** The outcome of one URL, small enough for a list of ten thousand. */
export interface JobRow {
  readonly outcome: 'visited' | 'failed' | 'left'
  readonly url: string
  readonly id?: string
  readonly status?: number
  readonly title?: string
  readonly bytes?: number
  readonly credits?: number
  /** Time of completion. */
  readonly at?: string
  readonly code?: string
  readonly error?: string
  /** For a failed page: whether a retry may succeed. */
  readonly retryable?: boolean
}
