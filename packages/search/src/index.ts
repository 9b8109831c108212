// The public names, one by one. What is not here is not public.
export type { Reason } from './faults.ts'
export { pageIndex, type PageIndex, type PageIndexOptions } from './pages/page-index.ts'
export { searxng, type SearxngOptions } from './searxng/searxng.ts'
