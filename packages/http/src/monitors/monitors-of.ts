import { EngineError } from '@harvestman/core'
import type { Monitors } from '@harvestman/monitors'

import type { ApiEngine } from '../route/engine.ts'

/** The monitors of an engine, where a plugin of it brings them. */
export function monitorsOf({ monitors }: Pick<ApiEngine, 'monitors'>): Monitors {
  if (monitors) return monitors
  throw new EngineError('not_configured', 'This server has no monitors.')
}
