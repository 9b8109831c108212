export interface Import {
  readonly file: string
  readonly specifier: string
}

const importLine =
  /(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s+'([^']+)'|import\('([^']+)'\)|(?:^|\n)import\s+'([^']+)'/g

export function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(importLine)].map((match) => ({ file, specifier: match[1] ?? match[2] ?? match[3] ?? '' }))
}
