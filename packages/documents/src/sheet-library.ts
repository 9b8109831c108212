// The only module that imports the spreadsheet library, which reads workbooks and formats numbers.
import { read, SSF, type WorkBook, type WorkSheet } from '@e965/xlsx'

import type { Limits } from './limits.ts'
import { encrypted } from './refuse.ts'

// Format 14 is the short date in the reader's locale, which is unknown here.
const shortDate = 'yyyy-mm-dd'

export type LibraryBook = WorkBook
export type LibrarySheet = WorkSheet

/**
 * Reads a workbook of any type, with one row more per sheet than the limit. Throws `unsupported_file` if it needs a password,
 * and otherwise the library's errors.
 */
export function readBook(bytes: Uint8Array, limits: Limits): LibraryBook {
  try {
    return read(bytes, {
      type: 'array',
      dense: true,
      cellFormula: false,
      cellHTML: false,
      dateNF: shortDate,
      // One row more than is shown, to detect longer sheets.
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
// The library keeps the formats of the last workbook in this table, so the original is copied.
const usual = { ...formats.get_table() }

/**
 * Returns a value as displayed in a number format, given by number or code. With an invalid format, returns the value as a
 * string.
 */
export function displayed(code: string | number, value: number | string, isFrom1904: boolean): string {
  try {
    return formats.format(code, value, { table: usual, dateNF: shortDate, date1904: isFrom1904 })
  } catch {
    // Excel shows an empty cell if the format is invalid. The raw value is more useful.
    return String(value)
  }
}
