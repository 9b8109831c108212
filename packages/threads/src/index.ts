// The public exports, listed by name. Anything not listed is private.
export { documentTally, defaultBound, type DocumentBound, type DocumentTally } from './document-bound.ts'
export { threadFile } from '@harvestman/toolbox/thread-file'
export { workInPlace, type InPlace } from './in-place.ts'
export { makeThreads, type ThreadOptions, type Threads } from './threads.ts'
