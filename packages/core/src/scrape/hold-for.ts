import { openHold, type CreditHold } from '../credits/hold.ts'
import type { Caller } from './caller.ts'
import type { Kit } from './kit.ts'

/**
 * Returns the credit reservation of a caller, or opens one, which reserves nothing yet. The work ends before `until`, in
 * milliseconds since 1970.
 */
export function holdFor({ team, task, key, hold }: Caller, until: number, { ledger, engine }: HoldKit): CreditHold {
  return hold ?? openHold(ledger, { team, task, until, by: engine, key })
}

type HoldKit = Pick<Kit, 'ledger' | 'engine'>
