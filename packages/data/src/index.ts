// The public names, one by one. What is not here is not public.
export { datasets, type Dataset, type DatasetFile, type Datasets, type RowPage } from './datasets/datasets.ts'
export { valueKinds, type Columns, type ValueKind } from './datasets/columns.ts'
export { exportFormats, type ExportFormatName } from './datasets/export/exports.ts'
export { rowsOfDocument, type DocumentOfRows } from './datasets/from-documents.ts'
export type { QueryAnswer } from './datasets/query/run-query.ts'
export {
  fromDocumentSchema,
  newDatasetSchema,
  newRowsSchema,
  querySchema,
  rowListSchema,
  type DatasetQuery,
  type FromDocument,
  type NewDataset,
  type NewRow,
  type RowList,
} from './datasets/requests.ts'
export type { Row as DatasetRow, Version as RowVersion } from './datasets/rows/row.ts'
export type { PutResult } from './datasets/service.ts'
export { deterministicJson } from './learned/deterministic.ts'
export { learnedAnswers } from './learned/known.ts'
export { lesson } from './learned/lesson.ts'
export { programSchema } from './learned/program.ts'
export type { Extractor } from './learned/catalog.ts'
export type { ExtractorVersion } from './learned/versions.ts'
export { data, type DataPlugin } from './plugin.ts'
