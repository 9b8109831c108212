/**
 * Returns the beginning of a Markdown document, up to the last line end within `length` characters, so that a passage that is cited
 * from it is whole. A longer line is cut.
 */
export function beginningOf(markdown: string, length: number): string {
  if (markdown.length <= length) return markdown
  const end = markdown.lastIndexOf('\n', length)
  return markdown.slice(0, end > 0 ? end : length)
}
