// The public exports, listed by name. Anything not listed is private.
export { fileBlobs, type FileBlobsOptions } from './files/folder.ts'
export { memoryBlobs, type MemoryBlobsOptions } from './files/memory.ts'
export { filesClosed } from './files/refusals.ts'
export { memoryStore } from './memory-store.ts'
export { embeddedQueue } from './queue/embedded.ts'
