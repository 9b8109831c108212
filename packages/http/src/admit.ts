// Lets requests in before their bodies are read: the engine says who may, and here it is asked.
import type { Admission, EndpointGroup } from '@harvestman/core'

import type { Caller } from './auth.ts'
import type { ApiEngine } from './engine.ts'
import type { Route } from './route.ts'

const unlimited: ReadonlySet<string> = new Set(['admin', 'service', 'out of scope'])

/** What the engine is to know of a request, so that it does not ask about it again. What it refuses, it notes as `endpoint`. */
export async function admit(
  { group, rate, isOpen, loadsPage: isPage, version: apiVersion }: Route,
  caller: Caller,
  engine: Pick<ApiEngine, 'admit'>,
  endpoint?: string,
): Promise<Admission> {
  if (!isLimited(group) || isOpen) return {}
  return engine.admit({ group, rate, endpoint, isPage }, { ...caller, apiVersion })
}

/** Whether rows of this group are held to scopes and rates. */
export function isLimited(group: string): group is EndpointGroup {
  return !unlimited.has(group)
}
