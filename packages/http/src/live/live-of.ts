import { EngineError } from '@harvestman/core'
import type { Live } from '@harvestman/live'

import type { ApiEngine } from '../route/engine.ts'

/** Returns the live browsers of an engine. Throws `not_configured` if no plugin provides them. */
export function liveOf({ live }: Pick<ApiEngine, 'live'>): Live {
  if (live) return live
  throw new EngineError('not_configured', 'This server has no live browsers.', { details: { port: 'sessions' } })
}
