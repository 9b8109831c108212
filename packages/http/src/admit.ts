// Lets requests in before their bodies are read: the engine says who may, and here it is asked.
import type { Admission, EndpointGroup } from '@harvestman/core'

import type { Caller } from './auth.ts'
import type { ApiEngine } from './engine.ts'
import type { Route } from './route.ts'

const unlimited: ReadonlySet<string> = new Set(['admin', 'service', 'out of scope'])

/** What the engine is to know of a request, so that it does not count it again. */
export async function admit(
  { group, rate, isOpen }: Route,
  caller: Caller,
  { teams }: Pick<ApiEngine, 'teams'>,
): Promise<Admission> {
  return isLimited(group) && !isOpen ? teams.admit({ group, rate }, caller) : {}
}

/** Whether rows of this group are held to scopes and rates. */
export function isLimited(group: string): group is EndpointGroup {
  return !unlimited.has(group)
}
