/** A line of RFC 4180. A text that a spreadsheet would take for a formula begins with an apostrophe. */
export function csvLine(cells: readonly (string | number | boolean | undefined)[]): string {
  const texts = cells.map((cell = '') =>
    typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell),
  )
  return `${texts.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(',')}\r\n`
}
