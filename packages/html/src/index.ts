export { extract, extractData, mainContent, toMarkdown, type Extracted, type ExtractOptions } from './extract.ts'
export type { Metadata, MetadataValue } from './readings/metadata.ts'
export { fillSchema } from './data/fill.ts'
export type {
  DataEntry,
  DataItem,
  DataLeaf,
  DataLink,
  DataMethod,
  DataSource,
  DataTable,
  Evidence,
  Filled,
  FilledValue,
  LabelledValue,
  PageData,
  SeenValue,
  Scalar,
} from './data/types.ts'
