/** On whose behalf work is done. */
export interface Caller {
  readonly team: string
  readonly id: string
  readonly signal: AbortSignal | undefined
  /** Whether the document can be read again later by its id. */
  readonly keep: boolean
}
