import type { NamedFile } from './check-names.ts'

const maxLines = 10
const template = /`[^`]*`/g
const ofPages = /\bdocument\.\w|\bgetComputedStyle\(|\bnew MutationObserver\(/

/**
 * Code for pages in template strings, which nothing checks: it belongs to the folder `page` of its package. Returns a sentence
 * for each.
 */
export function findPageCode(files: readonly NamedFile[]): string[] {
  return files
    .filter(({ file }) => !/^packages\/testing\/|\/page-scripts\.ts$/.test(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(template)]
        .filter(({ 0: code }) => code.split('\n').length > maxLines && ofPages.test(code))
        .map(
          ({ index }) =>
            `${file}:${text.slice(0, index).split('\n').length} has code for pages in a template string of over ${maxLines} lines: write it in packages/${file.split('/')[1]}/page, and run scripts/page-scripts.ts.`,
        ),
    )
}
