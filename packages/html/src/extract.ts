import { collectData } from './data/collect.ts'
import type { PageData } from './data/types.ts'
import type { Metadata } from './readings/metadata.ts'
import { openPage } from './page/page.ts'
import { readHtml, type ReadingName } from './readings/read.ts'

/** Options of `extract`. */
export interface ExtractOptions {
  /** URL of the page. Relative links are resolved against it, and its form is a hint at the kind of page. */
  readonly url?: string
  /** Whether to return only the main content (the default) or the whole page. */
  readonly onlyMainContent?: boolean
  /** CSS selectors of the content. Disables the search for main content. */
  readonly includeTags?: readonly string[]
  /**
   * CSS selectors of elements to remove before the search for main content, or `*text*` to match tag names and
   * attributes.
   */
  readonly excludeTags?: readonly string[]
  /** Whether to replace inline base64 images with a short placeholder (the default). */
  readonly removeBase64Images?: boolean
}

/** The content of a page. */
export interface Extracted {
  readonly markdown: string
  readonly html: string
  /** The page's title, or its first heading. */
  readonly title: string | undefined
  /** Absolute URLs of links in the content. */
  readonly links: readonly string[]
  /** Absolute URLs of images on the whole page. */
  readonly images: readonly string[]
  readonly metadata: Metadata
  /** Limits and problems that affected the result, one sentence each. */
  readonly warnings: readonly string[]
}

type Readings = {
  readonly markdown: string
  readonly html: string
  readonly links: readonly string[]
  readonly images: readonly string[]
  readonly metadata: Metadata
}

const names: readonly ReadingName[] = ['markdown', 'html', 'links', 'images', 'metadata']

/**
 * Returns the main content of a page as Markdown and HTML, with its links, images, metadata and warnings. Accepts any string;
 * problems such as an invalid selector only add a warning. Without a `url` or `<base>`, relative URLs stay relative in the
 * content and are omitted from `links` and `images`.
 */
export function extract(html: string, options: ExtractOptions = {}): Extracted {
  const { values, warnings } = read(html, names, options)
  const title = values.metadata['title']
  return { ...values, title: typeof title === 'string' ? title : undefined, warnings }
}

/** Returns the content of a page as Markdown; an empty string if there is none. */
export function toMarkdown(html: string, options: ExtractOptions = {}): string {
  return read(html, ['markdown'], options).values.markdown
}

/** Returns the content of a page as HTML; an empty string if there is none. Relative URLs become absolute if `url` is given. */
export function mainContent(html: string, options: ExtractOptions = {}): string {
  return read(html, ['html'], options).values.html
}

/**
 * Returns the structured data of a page: JSON-LD, microdata, RDFa, `<meta>`, labels, tables, embedded JSON. Malformed
 * parts are skipped.
 */
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
  // Cast: the value types by name are not known here.
  return { values: values as Readings, warnings }
}
