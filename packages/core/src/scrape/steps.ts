import type { Clock, Json } from '@harvestman/ports'

/** One thing that was decided or tried on the way to a document, and why. */
export interface Step {
  /**
   * `cache`: whether a kept page was taken. `hosts`: what is remembered of the host. `proxy`: which tier was asked.
   * `loader`: one was tried. `scripts`: whether the page is drawn by its scripts. `parser`: who read the bytes.
   */
  readonly step: 'cache' | 'hosts' | 'proxy' | 'loader' | 'scripts' | 'parser'
  /** A word or two: `hit`, `page`, `failed`, `browser first`. */
  readonly outcome: string
  readonly reason?: string
  /** The loader that was tried. */
  readonly loader?: string
  /** The status of the page that it brought. */
  readonly status?: number
  /** The SHA-256 of the bytes that it brought: two runs that had another answer part here. */
  readonly digest?: string
  /** Milliseconds that it took. */
  readonly ms?: number
  /** Milliseconds since the scrape began. */
  readonly at: number
}

/** The steps of one scrape, in order; kept only when the document is to explain itself. */
export interface StepLog {
  readonly steps: readonly Step[]
  note(step: Omit<Step, 'at'>): void
  /** Explanations of format values, by the name of the format. */
  readonly formats: Readonly<Record<string, Json>>
  tellOf(format: string, facts: Json): void
}

export function makeStepLog(clock: Clock): StepLog {
  const began = clock.now()
  const steps: Step[] = []
  const formats: Record<string, Json> = {}
  return {
    steps,
    formats,
    note: (step) => void steps.push({ ...step, at: clock.now() - began }),
    tellOf: (format, facts) => {
      formats[format] = facts
    },
  }
}
