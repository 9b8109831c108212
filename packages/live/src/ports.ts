import { definePort } from '@harvestman/core/plugin'
import type { Sandbox, Sessions } from '@harvestman/ports'

/** What opens live browsers. */
export const sessionsPort = definePort<Sessions>({
  name: 'sessions',
  help: 'live browsers: live({ sessions })',
})

/** What runs the code of callers. */
export const sandboxPort = definePort<Sandbox>({
  name: 'sandbox',
  help: 'a sandbox: live({ sessions, sandbox })',
})
