// Scripts as a feature of an engine: recorded in a live browser, kept for a team, run again without a model.
import { defineFeature, definePlugin } from '@harvestman/core/plugin'

import { keepingEndpoints, readingEndpoints } from './endpoints.ts'
import { openScripts } from './open.ts'

/** Scripts for an engine: `createEngine({ plugins: [live({ sessions }), scripts()] })` has `engine.scripts`. */
export function scripts() {
  const feature = defineFeature({
    name: 'scripts',
    summary: 'Runs what was done in a live browser once more, with other values and without a model.',
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

/** What `scripts` adds to an engine. */
export type ScriptsPlugin = ReturnType<typeof scripts>

/** The scripts of an engine. */
export type Scripts = NonNullable<ScriptsPlugin['features'][number]['api']>
