import type * as SandboxPackage from '@harvestman/sandbox'

import { loadOptional } from './optional.ts'

/** Loads the sandbox, whose browser library has 14 MB. Only servers and commands that run callers' code need it. */
export function loadSandbox(): Promise<typeof SandboxPackage> {
  return loadOptional('@harvestman/sandbox', 'The sandbox for code', () => import('@harvestman/sandbox'))
}
