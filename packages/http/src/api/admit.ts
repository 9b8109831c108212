// Admits requests before their bodies are read: the engine checks scopes, limits and rates.
import type { Admission } from '@harvestman/core'

import type { Caller } from '../callers/auth.ts'
import type { ApiEngine } from '../route/engine.ts'
import { isLimited, type Route } from '../route/route.ts'

/**
 * Asks the engine to admit a request. Returns the admission, which saves the engine a second check. Rejects if the engine does,
 * such as with `rate_limited` or `scope_missing`; the rejected request is recorded as `endpoint`, if there is one. Open routes
 * and routes of groups without limits get an empty admission.
 */
export async function admit(
  { group, rate, isOpen, loadsPage: isPage, version: apiVersion }: Route,
  caller: Caller,
  engine: Pick<ApiEngine, 'admit'>,
  endpoint?: string,
): Promise<Admission> {
  if (!isLimited(group) || isOpen) return {}
  return engine.admit({ group, rate, endpoint, isPage }, { ...caller, apiVersion })
}
