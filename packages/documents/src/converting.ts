import type { Limits } from './limits.ts'

/** What a converter may ask for. */
export interface Converting {
  readonly limits: Limits
  readonly warn: (sentence: string) => void
}
