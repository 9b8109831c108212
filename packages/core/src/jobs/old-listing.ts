// Lists in which earlier versions noted the jobs of a team, one for each hour, so that those jobs are listed too as
// long as they are kept. It may go with the next version.
import type { Clock, Store, Value } from '@harvestman/ports'
import { getMany } from '@harvestman/coordination'
import { storeKeys } from '../keys.ts'

const hour = 3_600_000
/** Hours that are read at once. */
const readAhead = 24

export interface OldNotes {
  readonly store: Store
  readonly clock: Clock
  /** Milliseconds that a job is kept. */
  readonly life: number
}

/** The lists of a team, from the hour of this moment back. */
export async function* oldNotes(team: string, from: number, kit: OldNotes): AsyncGenerator<readonly Value[]> {
  const now = kit.clock.now()
  const oldest = Math.floor((now - kit.life) / hour)
  for (let last = Math.floor(Math.min(from, now) / hour); last >= oldest; last -= readAhead) {
    const count = Math.min(readAhead, last - oldest + 1)
    const keys = Array.from({ length: count }, (_, back) => storeKeys.oldJobs(`of/${team}/${last - back}`))
    for (const list of await getMany(kit.store, keys)) if (list !== undefined) yield list as readonly Value[]
  }
}
