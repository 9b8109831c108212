// The only importer of the library that reads workbooks and knows the formats of their numbers.
import { read, SSF, type WorkBook, type WorkSheet } from '@e965/xlsx'

import type { Limits } from './limits.ts'
import { encrypted } from './refuse.ts'

// Format 14 is "the short date of the reader", and there is no reader.
const shortDate = 'yyyy-mm-dd'

export type LibraryBook = WorkBook
export type LibrarySheet = WorkSheet

/** Reads a workbook of any kind. Of each sheet come the first rows, one more than the limit. */
export function readBook(bytes: Uint8Array, limits: Limits): LibraryBook {
  try {
    return read(bytes, {
      type: 'array',
      dense: true,
      cellFormula: false,
      cellHTML: false,
      dateNF: shortDate,
      // One row more than is shown, so that a longer sheet is noticed.
      sheetRows: limits.rows + 1,
      bookDeps: false,
      bookFiles: false,
      bookVBA: false,
    })
  } catch (error) {
    if (error instanceof Error && /password-protected/i.test(error.message)) throw encrypted()
    throw error
  }
}

interface NumberFormats {
  get_table(): Readonly<Record<number, string>>
  format(code: string | number, value: number | string, options: Readonly<Record<string, unknown>>): string
}

const formats = SSF as NumberFormats
// The library keeps what it read from the last workbook in this table.
const usual = { ...formats.get_table() }

/** A value as it is displayed in a format: one of those that have a number, or one that is written out. */
export function displayed(code: string | number, value: number | string, isFrom1904: boolean): string {
  try {
    return formats.format(code, value, { table: usual, dateNF: shortDate, date1904: isFrom1904 })
  } catch {
    // A format that makes no sense shows nothing in Excel; what is in the cell says more.
    return String(value)
  }
}
