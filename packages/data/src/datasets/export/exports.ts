// The files that a dataset can be written as, by name.
import { csv } from './csv.ts'
import type { ExportFormat } from './format.ts'
import { jsonl } from './jsonl.ts'
import type { ExportFormatName } from './names.ts'
import { parquet } from './parquet.ts'

/** The file formats. */
export const exportsByName: Readonly<Record<ExportFormatName, ExportFormat>> = { jsonl, csv, parquet }
