/**
 * Wraps text in a Markdown code fence that is longer than any run of backticks in it. White space at its end is removed.
 */
export function wrapInCodeFence(language: string, text: string): string {
  const runs = text.match(/`{3,}/g) ?? []
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`
}
