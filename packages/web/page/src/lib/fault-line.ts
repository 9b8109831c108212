import type { Language, Ran } from './code.ts'

// How each language says where in the code it stopped. JavaScript names the innermost place first, Python last.
const places: Readonly<Record<Language, (text: string) => string | undefined>> = {
  node: (text) => /<anonymous>:(\d+):\d+/.exec(text)?.[1],
  python: (text) => [...text.matchAll(/File "<code>", line (\d+)/g)].at(-1)?.[1],
  bash: (text) => /^\S*bash: eval: line (\d+):/m.exec(text)?.[1],
}

/** The line of the code, from 1, at which it stopped; nothing where the language does not say. */
export function faultLine(
  language: Language,
  { success, stderr }: Pick<Ran, 'success' | 'stderr'>,
  code: string,
): number | undefined {
  const found = success ? undefined : places[language](stderr)
  // What ends too early stops behind the last line.
  return found === undefined ? undefined : Math.min(Number(found), code.split('\n').length)
}
