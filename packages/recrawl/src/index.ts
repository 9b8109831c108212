// Public exports of the package.
export { recrawl, revisitOf, type RecrawlPlugin, type Revisit } from './recrawl.ts'
