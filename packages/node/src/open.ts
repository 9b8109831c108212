import type { Engine, FeaturesOf } from '@harvestman/core'
import type { DataPlugin } from '@harvestman/data'
import type { SiteApisPlugin } from '@harvestman/data/site-apis'
import type { Hosting } from '@harvestman/http/hosting'
import type { Live } from '@harvestman/live'
import type { PeoplePlugin } from '@harvestman/live/people'
import type { ScriptsPlugin } from '@harvestman/live/scripts'
import type { Replays } from '@harvestman/live/session-replay'
import type { MonitorsPlugin } from '@harvestman/monitors'

import type { Config } from './settings.ts'
import { openWith, type OpenedEngine, type OpenOptions } from './engine-parts.ts'

/** An engine with all plugins of a server. */
export type ServedEngine = Engine &
  Hosting &
  FeaturesOf<readonly [DataPlugin, SiteApisPlugin, MonitorsPlugin, ScriptsPlugin, PeoplePlugin]> & {
    readonly live: Live
    /** Only with the setting `sessionReplay`. */
    readonly replays?: Replays
  }

/** An engine with all plugins of a server, and the parts that the server needs. */
export type Opened = OpenedEngine<ServedEngine>

/**
 * Creates an engine with all plugins of a server. With `serves`, waits up to `storeWait` milliseconds for the store, and starts
 * the monitors. Rejects if a store, plugin or other part cannot be opened, after closing the parts that are open.
 */
export async function openEngine(config: Config, options: OpenOptions = {}): Promise<Opened> {
  const { write = () => undefined, serves = false } = options
  const opened = await openWith(config, options, async () => {
    // Loaded here, because a command that only reads settings or loads one page does not need them.
    const { serverPlugins } = await import('./server-plugins.ts')
    return serverPlugins(config, write)
  })
  if (serves) opened.engine.monitors.start()
  return opened
}
