// For authors of servers and clients: the words of the API, and how an input is checked.
export { buildScrapeSchema } from './plugin/build-schema.ts'
export { check, type Problem } from './schema/problems.ts'
export type { ParserChoice, RequestedPart, ScrapeRequest } from './schema/scrape.ts'
export { jsonText } from './lib/json-text.ts'
export { findMisfits, sayMisfits, type Misfit } from './lib/json-schema/check.ts'
export { isSchemaFault, readJsonSchema, type ReadSchema, type SchemaFault } from './lib/json-schema/read.ts'
export { newKeySchema, newTeamSchema, teamLimitsSchema } from './schema/team.ts'
export { describeSchema, type DescribedSchema } from './schema/described.ts'
