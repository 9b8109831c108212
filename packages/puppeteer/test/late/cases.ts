import type { Pages } from '../servers.ts'

/** A page of the table, and what a scrape of it must give: its words in the Markdown, or a warning. */
export interface RenderCase {
  readonly name: string
  /** Path of the page. */
  readonly path: string
  readonly pages: Pages
  /** What the Markdown must contain. */
  readonly shows?: string
  /** What the Markdown must not contain. */
  readonly hides?: RegExp
  /** What the warning must match; without it there must be none. */
  readonly warns?: RegExp
  /** Options of the scrape. */
  readonly options?: Readonly<Record<string, unknown>>
}

let count = 0

/** Puts a page, and what it loads, under a path of its own. */
export function pageCase(
  name: string,
  html: string,
  expected: Omit<RenderCase, 'name' | 'path' | 'pages'>,
  pages: Pages = {},
): RenderCase {
  const path = `/case-${(count += 1)}`
  return {
    name,
    path,
    pages: { [path]: `<!doctype html><html><head><title>Case</title></head>${html}</html>`, ...pages },
    ...expected,
  }
}

/** Words of an article, long enough to be content. */
export const article =
  'The lighthouse keeper counted the ships that passed in the night, and wrote their names into a book bound in green cloth.'

/** Appends the article to `#out` in the page. */
export const fill = `document.querySelector('#out').innerHTML = '<h1>Harbour log</h1><p>${article}</p>'`
