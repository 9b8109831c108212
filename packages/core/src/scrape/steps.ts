import type { Clock, Json } from '@harvestman/ports'

/** A decision or attempt on the way to a document, and the reason. */
export interface Step {
  /**
   * `cache`: whether a cached page was used. `hosts`: the remembered loader of the host. `proxy`: the proxy tier. `loader`: a
   * loader was tried. `block`: the next step after the host blocked the page. `scripts`: whether the page is rendered by scripts.
   * `parser`: which parser read the bytes. `screening`: whether instructions to a language model were found. `login`: whether the
   * page of a profile is logged in.
   */
  readonly step: 'cache' | 'hosts' | 'proxy' | 'loader' | 'block' | 'scripts' | 'parser' | 'screening' | 'login'
  /** A word or two: `hit`, `page`, `failed`, `browser first`. */
  readonly outcome: string
  readonly reason?: string
  /** Loader that was tried. */
  readonly loader?: string
  /** Status of the page that it returned. */
  readonly status?: number
  /** SHA-256 of the bytes that it returned. The first difference between two runs shows where they diverge. */
  readonly digest?: string
  /** Instructions to a language model in the page. */
  readonly found?: readonly Json[]
  /** Duration in milliseconds. */
  readonly ms?: number
  /** Milliseconds since the scrape began. */
  readonly at: number
}

/** Steps of one scrape, in order. Recorded only if the caller requested an explanation. */
export interface StepLog {
  readonly steps: readonly Step[]
  note(step: Omit<Step, 'at'>): void
  /** Explanations of format values, by format. */
  readonly formats: Readonly<Record<string, Json>>
  tellOf(format: string, facts: Json): void
}

/** Creates an empty log. Its steps have their time in milliseconds since then. */
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
