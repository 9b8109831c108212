import type { Executed } from '@harvestman/client'

import type { Language } from './code.ts'

// Finds the failed line in each language's error output. JavaScript lists the innermost frame first, Python last.
const places: Readonly<Record<Language, (text: string) => string | undefined>> = {
  node: (text) => /<anonymous>:(\d+):\d+/.exec(text)?.[1],
  python: (text) => [...text.matchAll(/File "<code>", line (\d+)/g)].at(-1)?.[1],
  bash: (text) => /^\S*bash: eval: line (\d+):/m.exec(text)?.[1],
}

/**
 * Returns the line at which the code failed, from 1; `undefined` if the code succeeded, or the output does not show
 * it.
 */
export function faultLine(
  language: Language,
  { success, stderr }: Pick<Executed, 'success' | 'stderr'>,
  code: string,
): number | undefined {
  const found = success ? undefined : places[language](stderr)
  // Code that ends too early is reported one line past the end.
  return found === undefined ? undefined : Math.min(Number(found), code.split('\n').length)
}
