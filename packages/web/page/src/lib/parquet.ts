import { parquetWriteBuffer } from 'hyparquet-writer'

import type { Row, Table } from './table.ts'

/** Returns an Apache Parquet file. Columns of numbers or booleans keep their type; mixed columns become strings. */
export function parquetOf({ columns, parts }: Table): Blob {
  const rows = parts.flat()
  const columnData = columns.map((name) => columnOf(name, rows))
  return new Blob([parquetWriteBuffer({ columnData })], { type: 'application/vnd.apache.parquet' })
}

function columnOf(name: string, rows: readonly Row[]) {
  const values = rows.map((row) => row[name] ?? null)
  const kinds = new Set(values.flatMap((value) => (value === null ? [] : [typeof value])))
  const [kind] = kinds
  const type = kinds.size > 1 || kind === undefined ? 'STRING' : types[kind]
  const data = type === 'STRING' ? values.map((value) => (value === null ? null : String(value))) : values
  return { name, data, type: type ?? 'STRING', nullable: true } as const
}

const types: Readonly<Record<string, 'STRING' | 'DOUBLE' | 'BOOLEAN'>> = {
  string: 'STRING',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
}
