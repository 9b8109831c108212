// Monitors as a feature of an engine: pages, crawls and searches that are checked on a schedule.
import { check, defineFeature, definePlugin } from '@harvestman/core/plugin'

import { monitorsCommands } from './commands.ts'
import { monitorsEndpoints } from './endpoints.ts'
import { openMonitors, type WatchOptions } from './open.ts'
import { monitorsOptionsSchema, type MonitorsOptions } from './options.ts'

/** Monitors for an engine: `createEngine({ plugins: [monitors()] })` has `engine.monitors`. */
export function monitors(options: MonitorsOptions = {}) {
  const given = check(monitorsOptionsSchema, options)
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
    open: (kit) => openMonitors(kit, given),
    close: ({ idle }) => idle(),
    more: ({ watch, start, lag }) => ({
      /** Yields the checks of a monitor as they end, from now on, wherever they run, until its signal is aborted. */
      watch: (id: string, options?: WatchOptions) => watch(id, options),
      /** Starts the schedule. An app that creates no monitor calls it when it starts. */
      start,
      /** Returns the milliseconds that the most overdue check of all teams has been due; 0 when none is. */
      lag,
    }),
    endpoints: monitorsEndpoints,
    commands: monitorsCommands,
  })
  return definePlugin({ name: 'monitors', features: [feature] })
}

/** What `monitors` adds to an engine. */
export type MonitorsPlugin = ReturnType<typeof monitors>

/** The monitors of an engine. */
export type Monitors = NonNullable<MonitorsPlugin['features'][number]['api']>
