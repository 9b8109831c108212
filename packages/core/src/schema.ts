// Entry point for authors of servers and clients: schemas of the API, and validation of input.
export { buildScrapeSchema } from './plugin/build-schema.ts'
export { maxBatchUrls } from './schema/batch.ts'
export { keepSchema, limitsSchema } from './schema/engine-limits.ts'
export { check, fieldOf, type Problem } from './schema/problems.ts'
export type { ParserChoice, RequestedPart, ScrapeRequest } from './schema/scrape.ts'
export { describeSchema, type DescribedSchema } from './schema/described.ts'
