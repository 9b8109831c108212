// Checks pages, crawls and searches on a schedule.
import { check, defineFeature, definePlugin } from '@harvestman/core/plugin'

import { monitorsCommands } from './commands.ts'
import { monitorsEndpoints } from './endpoints.ts'
import { openMonitors, type WatchOptions } from './open.ts'
import { monitorsOptionsSchema, type MonitorsOptions } from './options.ts'

/**
 * Creates the plugin that adds `engine.monitors`: `createEngine({ plugins: [monitors()] })`. Throws `invalid_request` if an
 * option is invalid.
 */
export function monitors(options: MonitorsOptions = {}) {
  const settings = check(monitorsOptionsSchema, options)
  const feature = defineFeature({
    name: 'monitors',
    group: 'monitor',
    summary: 'Checks pages on a schedule: creates, lists and runs monitors.',
    examples: [
      'monitors create https://example.com/prices --schedule hourly',
      'monitors run 0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11',
      'monitors list',
    ],
    activities: { monitor: 'monitor' },
    invalidId: 'Invalid monitor ID',
    open: (kit) => openMonitors(kit, settings),
    close: ({ idle }) => idle(),
    more: ({ watch, start, lag }) => ({
      /** Yields new checks of a monitor as they end, on any engine, until the signal is aborted. */
      watch: (id: string, options?: WatchOptions) => watch(id, options),
      /**
       * Starts the scheduler. Creating, changing or running a monitor starts it too, so only an app that does none of these
       * must call this.
       */
      start,
      /** Returns how long the most overdue check of all teams has been due, in milliseconds; 0 if none is. */
      lag,
    }),
    endpoints: monitorsEndpoints,
    commands: monitorsCommands,
  })
  return definePlugin({ name: 'monitors', features: [feature] })
}

/** Type of the plugin returned by `monitors`. */
export type MonitorsPlugin = ReturnType<typeof monitors>

/** The API of `engine.monitors`. */
export type Monitors = NonNullable<MonitorsPlugin['features'][number]['api']>
