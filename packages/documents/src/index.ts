// The public names, one by one. What is not here is not public.
export { documents, type DocumentsOptions } from './documents.ts'
export type { Limits } from './limits.ts'
export type { Refusal } from './refuse.ts'
