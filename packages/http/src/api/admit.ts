// Lets requests in before their bodies are read: the engine says who may, and here it is asked.
import type { Admission } from '@harvestman/core'

import type { Caller } from '../callers/auth.ts'
import type { ApiEngine } from '../route/engine.ts'
import { isLimited, type Route } from '../route/route.ts'

/** Asks the engine to admit a request. Returns what it need not be asked again; it notes a refusal as `endpoint`. */
export async function admit(
  { group, rate, isOpen, loadsPage: isPage, version: apiVersion }: Route,
  caller: Caller,
  engine: Pick<ApiEngine, 'admit'>,
  endpoint?: string,
): Promise<Admission> {
  if (!isLimited(group) || isOpen) return {}
  return engine.admit({ group, rate, endpoint, isPage }, { ...caller, apiVersion })
}
