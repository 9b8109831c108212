/** What became of one address, as light as a list of ten thousand needs it. */
export interface JobRow {
  readonly outcome: 'visited' | 'failed' | 'left'
  readonly url: string
  readonly id?: string
  readonly status?: number
  readonly title?: string
  readonly bytes?: number
  readonly credits?: number
  /** When it was done. */
  readonly at?: string
  readonly code?: string
  readonly error?: string
  /** Whether another try of a failed page may work. */
  readonly retryable?: boolean
}
