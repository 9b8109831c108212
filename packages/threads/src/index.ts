// The public names, one by one. What is not here is not public.
export { documentTally, usualBound, type DocumentBound, type DocumentTally } from './document-bound.ts'
export { threadFile } from '@harvestman/ports/adapters'
export { workInPlace, type InPlace } from './in-place.ts'
export { startWatchdog, type Watchdog, type WatchdogOptions } from './watchdog/watchdog.ts'
export { makeThreads, type ThreadOptions, type Threads } from './threads.ts'
