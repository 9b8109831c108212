/** What one file of core exports by name and defines itself. A name passed on from another file is not counted. */
export interface NamedFile {
  readonly file: string
  readonly text: string
}

const definition =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function\s*\*?|interface|type|class)\s+([\w$]+)/gm

/** Names that two files define: a reader who meets one cannot know which is meant. A sentence for each. */
export function findSecondMeanings(files: readonly NamedFile[]): string[] {
  const definedIn = new Map<string, Set<string>>()
  for (const { file, text } of files) {
    for (const [, name = ''] of text.matchAll(definition)) {
      definedIn.set(name, (definedIn.get(name) ?? new Set()).add(file))
    }
  }
  return [...definedIn]
    .filter(([, places]) => places.size > 1)
    .map(
      ([name, places]) =>
        `${name} means ${places.size} things (${[...places].join(', ')}): give all but one a name of its own.`,
    )
}
