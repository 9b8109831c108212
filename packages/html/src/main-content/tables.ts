// Tables of numbers that grow by doubling, so that pages of 10 or 100,000 blocks take linear time.

export interface IntTable {
  readonly width: number
  rows: number
  data: Int32Array
}

/** Creates an empty table of integers with space for this number of rows. It grows as needed. */
export const makeIntTable = (width: number, rows: number): IntTable => ({
  width,
  rows: 0,
  data: new Int32Array(width * rows),
})

/** Adds a row of zeros and returns the index of its first number. */
export function addRow(table: IntTable): number {
  const at = table.rows * table.width
  if (at + table.width > table.data.length) {
    const larger = new Int32Array(Math.max(table.data.length * 2, table.width * 64))
    larger.set(table.data)
    table.data = larger
  }
  table.rows++
  return at
}

export interface ByteTable {
  readonly width: number
  rows: number
  data: Uint8Array
}

/** Creates an empty table of bytes with space for this number of rows. It grows as needed. */
export const makeByteTable = (width: number, rows: number): ByteTable => ({
  width,
  rows: 0,
  data: new Uint8Array(width * rows),
})

/** Appends a row, copied from `source`, which must not be longer than the table is wide. */
export function addBytes(table: ByteTable, source: Uint8Array): void {
  const at = table.rows * table.width
  if (at + table.width > table.data.length) {
    const larger = new Uint8Array(Math.max(table.data.length * 2, table.width * 64))
    larger.set(table.data)
    table.data = larger
  }
  table.data.set(source, at)
  table.rows++
}
