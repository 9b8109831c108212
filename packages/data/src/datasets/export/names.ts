/** Names of the export formats. */
export const exportFormats = ['jsonl', 'csv', 'parquet'] as const

/** Name of an export format. */
export type ExportFormatName = (typeof exportFormats)[number]
