import { defineFeature, definePlugin } from '@harvestman/core/plugin'

import { keepingEndpoints, readingEndpoints } from './endpoints.ts'
import { openScripts } from './open.ts'

/**
 * Plugin that adds `engine.scripts`: `createEngine({ plugins: [live({ sessions }), scripts()] })`. Scripts are
 * recorded in a live browser and run again without a model. Without live browsers, recording and running throw
 * `not_configured`.
 */
export function scripts() {
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
    open: openScripts,
    close: ({ recordings }) => recordings.close(),
    endpoints: (endpoint) => ({ ...keepingEndpoints(endpoint), ...readingEndpoints(endpoint) }),
  })
  return definePlugin({ name: 'scripts', features: [feature] })
}

/** Type of the plugin returned by `scripts`. */
export type ScriptsPlugin = ReturnType<typeof scripts>

/** The API of `engine.scripts`. */
export type Scripts = NonNullable<ScriptsPlugin['features'][number]['api']>
