import type { NamedFile } from './check-names.ts'

/** What looks like a key of the store and is none, with the reason; and rooms whose keys have no catalogue yet. */
const others: Readonly<Record<string, string>> = {
  'packages/core/src/jobs/log/page-ids.ts': 'the text that an id is made from',
  'packages/core/src/scrape/files.ts': 'the name of a file among those of a page',
  'packages/live/src/sessions/starter.ts': 'what the ledger calls a session',
}

/** The packages that write into the store of an engine. */
const writers =
  /^packages\/(?:core|coordination|site|webhooks|answers|hosting|live|monitors)\/src\/(?!.*(?:\.test\.ts$|\/fixtures\/))/
const catalogue = /\/keys\.ts$/

const verbs = 'get|set|update|add|delete|watch|list|scan'
const byHand: readonly RegExp[] = [
  // A text that begins with words and a slash, and goes on with a value; not what a family is given.
  /(?:=>|return|=|\?|:|(?<!Keys\.\w+)\()\s*`(?:[a-z][a-z-]*\/)+\$\{/g,
  // A text that is given to the store as it is.
  new RegExp(String.raw`\b[sS]tore\??\.(?:${verbs})(?:<[^>]*>)?\??\.?\(\s*[\x60'](?!\$)`, 'g'),
]

/** Keys that are made without their family: nobody would find them in the docs. A sentence for each place. */
export function findLooseKeys(files: readonly NamedFile[]): string[] {
  const places = files
    .filter(({ file }) => writers.test(file) && !catalogue.test(file))
    .filter(({ file }) => !Object.keys(others).some((one) => file.startsWith(one)))
    .flatMap(({ file, text }) =>
      byHand.flatMap((pattern) =>
        [...text.matchAll(pattern)].map(({ index }) => `${file}:${text.slice(0, index).split('\n').length}`),
      ),
    )
  return [...new Set(places)].map(
    (place) =>
      `${place} makes a key by hand: give it a family in the catalogue (keys.ts of the package), and make it with that.`,
  )
}
