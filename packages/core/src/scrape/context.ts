import type { CreditHold } from '../credits/hold.ts'
import type { DocumentTally } from '@harvestman/threads'
import type { Caller } from './caller.ts'
import type { TimeLeft } from './deadline.ts'
import type { Kit } from './kit.ts'
import type { Plan } from './plan.ts'
import type { StepLog } from './steps.ts'

/** Context that the steps of one scrape share. It is made once; only an escalation puts another plan into it. */
export interface ScrapeContext {
  readonly plan: Plan
  readonly caller: Caller
  readonly kit: Kit
  /** Credits set aside for its price. */
  readonly hold: CreditHold
  readonly time: TimeLeft
  /** The formats that are being worked out, by name. */
  readonly deriving: Set<string>
  /** Size of its document so far. */
  readonly tally: DocumentTally
  /** Headers by which the host tells whether a kept copy is still the page. */
  readonly validators?: Readonly<Record<string, string>> | undefined
  /** Log of the steps, when the document is to explain itself. */
  readonly steps: StepLog | undefined
}
