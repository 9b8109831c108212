import type { CreditHold } from '../credits/hold.ts'
import type { DocumentTally } from '@harvestman/threads'
import type { Caller } from './caller.ts'
import type { TimeLeft } from './deadline.ts'
import type { Kit } from './kit.ts'
import type { Plan } from './plan.ts'
import type { StepLog } from './steps.ts'
import type { ProfileInUse } from './visit.ts'

/** State shared by the steps of one scrape. Created once; escalation to a browser replaces only the plan. */
export interface ScrapeContext {
  readonly plan: Plan
  readonly caller: Caller
  readonly kit: Kit
  /** Credits reserved for the scrape. */
  readonly hold: CreditHold
  readonly time: TimeLeft
  /** Price of the scrape if it fails from now on. */
  readonly owed: { credits: number }
  /** Names of the formats that are being computed. */
  readonly deriving: Set<string>
  /** Size of the document so far. */
  readonly tally: DocumentTally
  /** The browser profile of the request, once it has been opened. */
  readonly profile?: ProfileInUse | undefined
  /** Conditional request headers for the cached copy, such as `If-None-Match`. */
  readonly validators?: Readonly<Record<string, string>> | undefined
  /** Log of the steps, if the caller requested an explanation. */
  readonly steps: StepLog | undefined
}
