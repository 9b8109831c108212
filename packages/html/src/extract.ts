import { collectData } from './data/collect.ts'
import type { PageData } from './data/types.ts'
import type { Metadata } from './readings/metadata.ts'
import { openPage } from './page/page.ts'
import { readHtml, type ReadingName } from './readings/read.ts'

/** Options of `extract`. */
export interface ExtractOptions {
  /** The address of the page: links and images are resolved against it, and its shape tells what kind of page it is. */
  readonly url?: string
  /** Give the main content only (the default), or the whole page. */
  readonly onlyMainContent?: boolean
  /** CSS selectors of the parts that are the content; main content is not looked for then. */
  readonly includeTags?: readonly string[]
  /** CSS selectors, or `*text*` found in names and attributes, of parts that are left out first. */
  readonly excludeTags?: readonly string[]
  /** Images that are written out in the page become a short sign (the default). */
  readonly removeBase64Images?: boolean
}

/** The content of a page. */
export interface Extracted {
  readonly markdown: string
  readonly html: string
  /** The title of the page, or its first heading. */
  readonly title: string | undefined
  /** Absolute addresses that the content links to. */
  readonly links: readonly string[]
  /** Absolute addresses of the images of the whole page. */
  readonly images: readonly string[]
  readonly metadata: Metadata
  /** What could not be done as asked, a sentence each. */
  readonly warnings: readonly string[]
}

interface Readings {
  readonly markdown: string
  readonly html: string
  readonly links: readonly string[]
  readonly images: readonly string[]
  readonly metadata: Metadata
}

const names: readonly ReadingName[] = ['markdown', 'html', 'links', 'images', 'metadata']

/** Reads a page: its main content as Markdown and HTML, its links, images, and what it says about itself. */
export function extract(html: string, options: ExtractOptions = {}): Extracted {
  const { values, warnings } = read(html, names, options)
  const title = values.metadata['title']
  return { ...values, title: typeof title === 'string' ? title : undefined, warnings }
}

/** The content of a page as Markdown. */
export function toMarkdown(html: string, options: ExtractOptions = {}): string {
  return read(html, ['markdown'], options).values.markdown
}

/** The content of a page as HTML, with absolute links. */
export function mainContent(html: string, options: ExtractOptions = {}): string {
  return read(html, ['html'], options).values.html
}

/** What a page says for programs: JSON-LD, microdata, RDFa, `<meta>`, labels, tables, embedded JSON. */
export function extractData(html: string, { url = 'about:blank' }: Pick<ExtractOptions, 'url'> = {}): PageData {
  const { root, base } = openPage({ html, url }, { onlyMainContent: false, includeTags: [], excludeTags: [] })
  return collectData(root, base)
}

function read(
  html: string,
  wanted: readonly ReadingName[],
  options: ExtractOptions,
): { readonly values: Readings; readonly warnings: readonly string[] } {
  const {
    url = 'about:blank',
    onlyMainContent = true,
    includeTags = [],
    excludeTags = [],
    removeBase64Images,
  } = options
  const settings = removeBase64Images === undefined ? {} : { removeBase64Images }
  const { values, warnings } = readHtml(
    { html, url },
    { onlyMainContent, includeTags, excludeTags },
    wanted.map((name) => ({ name, options: settings })),
  )
  // Cast: a reading is known by its name, and the names are not known here.
  return { values: values as unknown as Readings, warnings }
}
