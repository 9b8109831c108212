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
export { learnProgram, runProgram, type LearnedExample } from './learned/page.ts'
export type { LearnedRecord } from './learned/pointers.ts'
export type {
  Alternative as LearnedAlternative,
  DoubtReason,
  FieldProgram,
  LearnedEvidence,
  LearnedRead,
  LearnedValue,
  ListProgram,
  Program as LearnedProgram,
} from './learned/types.ts'
export { readItems } from './lists/items.ts'
export type { ItemColumn, ItemKind, ItemList, ItemPrice, ItemRow, ItemValue } from './lists/types.ts'
