import { definePort } from '@harvestman/core/plugin'
import type { Sandbox } from '@harvestman/ports'

import type { Live } from './live.ts'

/** What runs the code of callers. */
export const sandboxPort = definePort<Sandbox>({
  name: 'sandbox',
  help: 'a sandbox: live({ sessions, sandbox })',
})

/** The live browsers of an engine, for other features. */
export const livePort = definePort<Live>({
  name: 'live',
  help: 'live browsers: plugins: [live({ sessions })]',
})
