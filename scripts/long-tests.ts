// Which tests are long: `npm test` leaves them out, `npm run test:long` runs them alone.

/** The tag of a test, a group of tests or a whole file that is long. One with a process of its own is named `.long.test.ts`. */
export const longTag = {
  name: 'long' as const,
  description: 'repeats what another test shows, needs many processes or browsers, or waits for real time to pass',
}

/** The options of one test of several that a loop makes: some of them are long. */
export const longIf = (isLong: boolean): { tags: 'long'[] } => ({ tags: isLong ? ['long'] : [] })

interface Tagged {
  readonly tags: readonly string[]
}

/** Whether a test does not run because the filter of the run asks for the others. */
export function isFilteredOut({ tags }: Tagged, filter: readonly string[] = []): boolean {
  const isLong = tags.includes(longTag.name)
  return filter.includes(isLong ? `!${longTag.name}` : longTag.name)
}

/** Long files without the tag, which `npm test` would leave out and `npm run test:long` as well. A sentence for each. */
export function findUntaggedLong(files: readonly { readonly file: string; readonly text: string }[]): string[] {
  return files
    .filter(({ file, text }) => file.endsWith('.long.test.ts') && !/^\/\/ @module-tag long$/m.test(text))
    .map(({ file }) => `${file} is a long file: give it the tag (// @module-tag ${longTag.name}).`)
}

declare module 'vitest' {
  interface TestTags {
    readonly length: 'long'
  }
}
