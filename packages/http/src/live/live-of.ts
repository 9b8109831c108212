import { missingPort, sessionsPort } from '@harvestman/core/plugin'
import type { Live } from '@harvestman/live'

import type { ApiEngine } from '../route/engine.ts'

/** Returns the live browsers of an engine. Throws `not_configured` if no plugin provides them. */
export function liveOf({ live }: Pick<ApiEngine, 'live'>): Live {
  if (live) return live
  throw missingPort(sessionsPort, 'This request')
}
