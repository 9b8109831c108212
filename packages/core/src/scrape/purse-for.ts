import { openPurse, type Purse } from '../credits/purse.ts'
import type { Caller } from './caller.ts'
import type { Kit } from './kit.ts'

/** What pays for the work of a caller, which is over by then. */
export function purseFor({ team, task, key, purse }: Caller, until: number, { ledger, engine }: PurseKit): Purse {
  return purse ?? openPurse(ledger, { team, task, until, by: engine, key })
}

type PurseKit = Pick<Kit, 'ledger' | 'engine'>
