// For authors of servers and clients: the words of the API, and how an input is checked.
export { buildScrapeSchema } from './plugin/build-schema.ts'
export { check, type Problem } from './schema/problems.ts'
export type { ParserChoice, RequestedPart, ScrapeRequest } from './schema/scrape.ts'
// Documents that are only printed: in pieces, with large values that are text already.
export { isEncodedJson, type EncodedJson } from '@harvestman/ports/adapters'
export { jsonOnce, jsonPieces } from './lib/json-pieces.ts'
export { joinInTurns } from '@harvestman/ports/adapters'
export { openJson } from './lib/open-json.ts'
export { describeSchema, type DescribedSchema } from './schema/described.ts'
