// Public exports, listed by name. Everything else is internal.
export type { RecordLimits, RecordOptions, Secrets } from './options.ts'
export { compareSteps, type StepDifference } from './compare.ts'
export { recorded, type RecordedOptions } from './recorded-test.ts'
export { readCommand } from './replaying/command.ts'
export { recording } from './recording/recording.ts'
export { replay, replaying, type ReplayOptions } from './replaying/replaying.ts'
export { records, type RecordsOptions } from './calls/records.ts'
