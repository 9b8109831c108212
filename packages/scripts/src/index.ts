// Public exports of the package.
export type { NewScript, RunScript } from './requests.ts'
export type { KeptScript, ScriptHistory, ScriptRun, ScriptVersion } from './script/results.ts'
export { bounds as scriptBounds, scriptSchema, type Script, type Step, type Target } from './script/schema.ts'
export { scriptsOf, type Scripts, type ScriptsPlugin } from './scripts.ts'
