// The public names, one by one. What is not here is not public.
export { fileBlobs, type FileBlobsOptions } from './files/folder.ts'
export { memoryBlobs, type MemoryBlobsOptions } from './files/memory.ts'
export { filesClosed } from './files/refusals.ts'
export { memoryStore } from './memory-store.ts'
export { embeddedQueue } from './queue/embedded.ts'
