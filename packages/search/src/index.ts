// The public names, one by one. What is not here is not public.
export type { Reason } from './faults.ts'
export { searxng, type SearxngOptions } from './searxng/searxng.ts'
