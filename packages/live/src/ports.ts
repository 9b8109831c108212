import { definePort } from '@harvestman/core/plugin'
import type { Sandbox } from '@harvestman/ports'

/** The sandbox that runs the code of callers. */
export const sandboxPort = definePort<Sandbox>({
  name: 'sandbox',
  help: 'a sandbox: live({ sessions, sandbox })',
})
