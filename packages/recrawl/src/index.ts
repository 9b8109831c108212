// The public names, one by one. What is not here is not public.
export { recrawl, revisitOf, type RecrawlPlugin, type Revisit } from './recrawl.ts'
