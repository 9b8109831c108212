import type * as SandboxPackage from '@harvestman/sandbox'

import { loadOptional } from '@harvestman/toolbox/load-optional'

/**
 * Loads the sandbox, whose browser library has 14 MB. Only servers and commands that run callers' code need it.
 * Rejects with `not_configured` if the package is not installed.
 */
export function loadSandbox(): Promise<typeof SandboxPackage> {
  return loadOptional('@harvestman/sandbox', 'The sandbox for code', () => import('@harvestman/sandbox'))
}
