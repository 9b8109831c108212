import type { Json } from '@harvestman/ports'
import { nextTurn } from '@harvestman/toolbox/next-turn'

import type { Row } from '../rows/row.ts'
import type { ExportFormat } from './format.ts'
import { tableOf, type TableColumn } from './table.ts'

/** Rows per row group. Larger groups compress better but block the event loop longer. */
const groupOfRows = 5_000

type Element = ReturnType<typeof elementOf>

/** Parquet schema element for each column type. */
const types = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
} as const

/** Apache Parquet with Snappy compression. */
export const parquet: ExportFormat = {
  mediaType: 'application/vnd.apache.parquet',
  async *write(rows, columns) {
    const { ByteWriter, ParquetWriter } = await import('hyparquet-writer')
    const table = tableOf(columns)
    const bytes = new ByteWriter()
    const schema: (Element | { name: string; num_children: number })[] = [
      { name: 'root', num_children: table.length },
      ...table.map(elementOf),
    ]
    const file = new ParquetWriter({ writer: bytes, schema, createdBy: 'harvestman' })
    for await (const group of inGroups(rows)) {
      const columnData = table.map((column) => ({ name: column.name, data: group.map((row) => cell(row, column)) }))
      await file.write({ columnData, rowGroupSize: groupOfRows })
      yield drained(bytes)
      await nextTurn()
    }
    await file.finish()
    yield drained(bytes)
  },
}

function elementOf({ name, kind }: TableColumn) {
  return { name, ...types[kind], repetition_type: 'OPTIONAL' } as const
}

function cell(row: Row, { read, kind }: TableColumn): Json | bigint | Date {
  const value = read(row)
  if (typeof value !== 'number') return value
  if (kind === 'time') return new Date(value)
  return kind === 'integer' ? BigInt(value) : value
}

/** Returns the bytes written since the last call. The writer keeps its own file offset. */
function drained(writer: { index: number; getBytes(): Uint8Array }): Uint8Array {
  const bytes = writer.getBytes().slice()
  writer.index = 0
  return bytes
}

async function* inGroups(rows: AsyncIterable<readonly Row[]>): AsyncGenerator<readonly Row[]> {
  let group: Row[] = []
  for await (const some of rows) {
    group.push(...some)
    if (group.length < groupOfRows) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}
