export { extract, mainContent, toMarkdown, type Extracted, type ExtractOptions } from './extract.ts'
export type { Metadata, MetadataValue } from './metadata.ts'
