import { defineFeature, definePlugin, type Port } from '@harvestman/core/plugin'

import type { ScriptBrowsers } from './browsers.ts'
import { keepingEndpoints, readingEndpoints } from './endpoints.ts'
import { openScripts } from './open.ts'

/**
 * Creates the plugin that adds `engine.scripts`. Scripts are recorded in a live browser of the port and run again without a
 * model. Without its service, recording and running reject with `not_configured`.
 */
export function scriptsOf(browsers: Port<ScriptBrowsers>) {
  const feature = defineFeature({
    name: 'scripts',
    summary: 'Records what is done in a live browser, and runs it again with other values and without a model.',
    examples: [
      'scripts run sign-up -p name=Bob -p city=Oslo',
      'scripts show sign-up > sign-up.json',
      'scripts save sign-up sign-up.json',
    ],
    activities: { script: 'scripts' },
    notFound: 'Script or live browser not found',
    open: (kit) => openScripts(kit, browsers),
    close: ({ recordings }) => recordings.close(),
    endpoints: (endpoint) => ({ ...keepingEndpoints(endpoint), ...readingEndpoints(endpoint) }),
  })
  return definePlugin({ name: 'scripts', features: [feature] })
}

/** Type of the plugin. */
export type ScriptsPlugin = ReturnType<typeof scriptsOf>

/** The API of `engine.scripts`. */
export type Scripts = NonNullable<ScriptsPlugin['features'][number]['api']>
