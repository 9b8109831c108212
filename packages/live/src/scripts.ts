import { scriptsOf, type ScriptsPlugin } from '@harvestman/scripts'

import { livePort } from './live-port.ts'

export {
  scriptBounds,
  scriptSchema,
  type KeptScript,
  type NewScript,
  type RunScript,
  type Script,
  type ScriptHistory,
  type ScriptRun,
  type Scripts,
  type ScriptsPlugin,
  type ScriptVersion,
  type Step,
  type Target,
} from '@harvestman/scripts'

/**
 * Creates the plugin that adds `engine.scripts`: `createEngine({ plugins: [live({ sessions }), scripts()] })`. Scripts are
 * recorded in a live browser and run again without a model. Without live browsers, recording and running reject with
 * `not_configured`.
 */
export function scripts(): ScriptsPlugin {
  return scriptsOf(livePort)
}
