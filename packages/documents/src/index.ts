// The public exports, listed by name. Anything not listed is private.
export { documents, type DocumentsOptions } from './documents.ts'
export type { Limits } from './limits.ts'
export type { Refusal } from './refuse.ts'
