// The names of the files that a dataset can be written as.

/** The names of the file formats. */
export const exportFormats = ['jsonl', 'csv', 'parquet'] as const

/** The name of a file format. */
export type ExportFormatName = (typeof exportFormats)[number]
