import type { Language, Ran } from './sessions.ts'

// How each language says where in the code it stopped. JavaScript names the innermost place first, Python last.
const places: Readonly<Record<Language, (text: string) => string | undefined>> = {
  node: (text) => /<anonymous>:(\d+):\d+/.exec(text)?.[1],
  python: (text) => [...text.matchAll(/File "<code>", line (\d+)/g)].at(-1)?.[1],
  bash: () => undefined,
}

/** The line of the code, from 1, at which it stopped; nothing where the language does not say. */
export function faultLine(
  language: Language,
  { success, stderr }: Pick<Ran, 'success' | 'stderr'>,
): number | undefined {
  const found = success ? undefined : places[language](stderr)
  return found === undefined ? undefined : Number(found)
}
