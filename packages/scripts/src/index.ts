// The public names, one by one. What is not here is not public.
export type { KeptRepair, KeptScript, ScriptHistory, ScriptVersion, VersionOrigin } from './kept/catalog.ts'
export { newScriptSchema, recordingSchema, runScriptSchema, type NewScript, type RunScript } from './requests.ts'
export type { Repair, RunResult } from './run/run.ts'
export type { DoneStep } from './run/stop.ts'
export { bounds as scriptBounds, scriptSchema, type Script, type Step, type Target } from './script/schema.ts'
export { scripts, type ScriptRun, type Scripts, type ScriptsPlugin } from './scripts.ts'
