import { definePort } from '@harvestman/core/plugin'
import type { Sandbox } from '@harvestman/ports'

/** The sandbox that runs the code of callers. */
export const sandboxPort = definePort<Sandbox>({
  name: 'sandbox',
  description: 'a sandbox',
  remedy: 'Pass live({ sessions, sandbox }), such as localSandbox() of @harvestman/sandbox.',
})
