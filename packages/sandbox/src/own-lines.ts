/**
 * Returns the output with corrected line numbers in Bash's syntax errors: Bash counts the lines of everything it has read, and
 * the code started at line `first`. Without `first` it is unchanged.
 */
export function withOwnLines(text: string, first: number | undefined): string {
  if (first === undefined) return text
  return text.replace(/^(\S*bash: eval: line )(\d{1,9})(?=:)/gm, (all, words: string, line: string) =>
    Number(line) < first ? all : `${words}${Number(line) - first + 1}`,
  )
}
