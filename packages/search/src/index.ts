// Public exports, listed by name. Everything else is internal.
export type { Reason } from './faults.ts'
export type { Passage } from './pages/finding.ts'
export { pageIndex, type PageIndex, type PageIndexOptions, type PassageQuery } from './pages/page-index.ts'
export type { PostgresQueries } from './pages/postgres-connection.ts'
export { searxng, type SearxngOptions } from './searxng/searxng.ts'
