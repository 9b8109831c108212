import { csv } from './csv.ts'
import type { ExportFormat } from './format.ts'
import { jsonl } from './jsonl.ts'
import type { ExportFormatName } from './names.ts'
import { parquet } from './parquet.ts'

/** Export formats by name. */
export const exportsByName: Readonly<Record<ExportFormatName, ExportFormat>> = { jsonl, csv, parquet }
