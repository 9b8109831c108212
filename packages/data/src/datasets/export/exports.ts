// The files that a dataset can be written as, by name.
import { csv } from './csv.ts'
import { jsonl } from './jsonl.ts'
import { parquet } from './parquet.ts'
import type { ExportFormat } from './format.ts'

/** The names of the file formats. */
export const exportFormats = ['jsonl', 'csv', 'parquet'] as const

/** The name of a file format. */
export type ExportFormatName = (typeof exportFormats)[number]

/** The file formats. */
export const exportsByName: Readonly<Record<ExportFormatName, ExportFormat>> = { jsonl, csv, parquet }
