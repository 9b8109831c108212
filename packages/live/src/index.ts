// The public names, one by one. What is not here is not public.
export { live, livePort, type Live, type LivePlugin, type OfScrapeCall, type OpenInput } from './live.ts'
export { liveOptionsSchema, type LiveOptions } from './options.ts'
export { sessionsPort } from '@harvestman/core/plugin'
export { sandboxPort } from './ports.ts'
export { sessionPrice, sessionTariff } from './price.ts'
export {
  executeSchema,
  interactSchema,
  profileName,
  sessionListSchema,
  sessionSchema,
  shareSchema,
} from './requests.ts'
export type { SessionOwner } from './sessions/owners.ts'
export { endReasons, type SessionEnd, type SessionEndReason, type SessionRecord } from './sessions/records.ts'
export type { AskOptions, LiveSession, RunCodeOptions, SessionEntry } from './sessions/session.ts'
export type { SessionShare, SessionShares } from './sessions/shares.ts'
export type { SessionRight, SessionTokens } from './sessions/tokens.ts'
export type { Confinement } from './task/confinement.ts'
export type { TaskAction } from './task/actions.ts'
export type { TaskOptions } from './task/run.ts'
export type { OnSecret, Secret } from './task/secrets.ts'
export type { TaskRun, TaskStep } from './task/step.ts'
