/** Returns a CSV line (RFC 4180). Strings that a spreadsheet would run as a formula get a leading apostrophe. */
export function csvLine(cells: readonly (string | number | boolean | undefined)[]): string {
  const texts = cells.map((cell = '') =>
    typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell),
  )
  return `${texts.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(',')}\r\n`
}
