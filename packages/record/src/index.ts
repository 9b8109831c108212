// The public names, one by one. What is not here is not public.
export type { RecordLimits, RecordOptions, Secrets } from './options.ts'
export { recording } from './recording/recording.ts'
export { replay, replaying, type ReplayOptions } from './replaying/replaying.ts'
