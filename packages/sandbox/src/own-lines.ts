/**
 * A shell counts the lines of all that it has read. In what it says of code that it cannot read, gives the lines of that
 * code, which began at the line `first`.
 */
export function withOwnLines(text: string, first: number | undefined): string {
  if (first === undefined) return text
  return text.replace(/^(\S*bash: eval: line )(\d{1,9})(?=:)/gm, (all, words: string, line: string) =>
    Number(line) < first ? all : `${words}${Number(line) - first + 1}`,
  )
}
