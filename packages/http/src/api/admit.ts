// Lets requests in before their bodies are read: the engine says who may, and here it is asked.
import type { Admission } from '@harvestman/core'

import type { Caller } from '../callers/auth.ts'
import type { ApiEngine } from '../route/engine.ts'
import { isLimited, type Route } from '../route/route.ts'

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
