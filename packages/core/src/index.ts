// The public names, one by one. What is not here is not public.
export { createEngine, type Call, type Capabilities, type Engine, type EngineOptions } from './engine.ts'
export { errorCodes, type ErrorCode } from './errors/codes.ts'
export { EngineError, type ErrorDetails } from './errors/error.ts'
export type { AnyDocument, Metadata } from './scrape/document.ts'
export { memoryStore } from './stores/memory.ts'
export { embeddedQueue } from './queues/embedded.ts'
export type { DocumentFor, ScrapeInput } from './types.ts'
export { turndown } from './formats/turndown.ts'
