// The door of this room: a page goes in as text, values come out that can cross to another thread.

import { findAnchors } from './anchors.ts'
import { findAttributes, type AttributeRequest } from './attributes.ts'
import { isLeftOut, textInContent, type Content } from '../page/content.ts'
import { fingerprint } from './fingerprint.ts'
import { collectData } from '../data/collect.ts'
import { conceptsIn, fillSchema } from '../data/fill.ts'
import { findImages } from './images.ts'
import { findAllLinks, findLinks } from './links.ts'
import { readMetadata } from './metadata.ts'
import type { ExplainedBlock } from '../main-content/explain.ts'
import { findOtherText } from './other-text.ts'
import { findTexts } from './texts.ts'
import { spendNothing, type Spend } from '../tree/output.ts'
import { openPage, type HtmlPage, type ReadingScope } from '../page/page.ts'
import { toHtml } from '../parse/serialize.ts'
import { whyShell } from './shell.ts'
import { readSignals } from './signals.ts'
import { writeMarkdown } from '../markdown/write-markdown.ts'

export type { ReadingScope } from '../page/page.ts'

/** Takes what it needs from the page, and from what was read of it before. Options are data, checked where the request was. */
type Read = (page: HtmlPage, options: ReadingOptions, known: Readonly<Record<string, unknown>>, spend: Spend) => unknown

/** Options of all readings of a page. */
export interface ReadingOptions {
  readonly removeBase64Images?: boolean
  readonly selectors?: readonly AttributeRequest[]
  /** Selectors of elements whose words are wanted. */
  readonly elements?: readonly string[]
  /** A JSON Schema that is filled from what the page says for programs. */
  readonly schema?: unknown
}

const readings = {
  markdown: (page, options, _, spend) => readMarkdown(page, options, spend),
  html: ({ content, base }, _, __, spend) =>
    toHtml(content.root, { base, spend, leaveOut: (node) => isLeftOut(content, node) }),
  rawHtml: ({ html }) => html,
  // Either will do, as long as it is the same for all pages of a crawl.
  fingerprint: ({ content }, _, { markdown }) =>
    fingerprint(typeof markdown === 'string' ? markdown : textInContent(content)),
  links: ({ content, base }, _, __, spend) => findLinks(content, base, spend),
  allLinks: ({ root, base }, _, __, spend) => findAllLinks(root, base, spend),
  anchors: ({ root, base }, _, __, spend) => findAnchors(root, base, spend),
  images: ({ whole, base }, _, __, spend) => findImages(whole, base, spend),
  metadata: ({ root, base }) => readMetadata(root, base),
  attributes: ({ root, warn }, { selectors = [] }, _, spend) => findAttributes(root, selectors, warn, spend),
  texts: ({ root, warn }, { elements = [] }) => findTexts(root, elements, warn),
  filled: ({ root, base }, { schema }) =>
    schema == null ? undefined : fillSchema(schema, collectData(root, base, conceptsIn(schema))),
  signals: ({ root }) => readSignals(root),
  explain: ({ content }) => (content.explain?.() ?? []).map(shortened),
  shell: ({ root }) => whyShell(root),
} satisfies Readonly<Record<string, Read>>

export type ReadingName = keyof typeof readings

/** One thing that is read of a page: by the reading of this name, or by a function. */
export interface ReadingRequest {
  readonly name: string
  readonly options?: unknown
  readonly read?: (page: HtmlPage, options: unknown) => unknown
}

/** What was read of a page. */
export interface ReadValues {
  /** By the name of the reading; plain data. */
  readonly values: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}

/**
 * Reads what is wanted from a page. The tree and the choice of content are made once, and only if something asks. `meter`
 * is asked for each value; what it gives is told how the value grows.
 */
export function readHtml(
  source: { readonly html: string; readonly url: string },
  scope: ReadingScope,
  wanted: readonly ReadingRequest[],
  meter: () => Spend = () => spendNothing,
): ReadValues {
  const page = openPage(source, scope)
  const values: Record<string, unknown> = {}
  for (const { name, options, read: readWith } of wanted) {
    if (readWith) {
      values[name] = readWith(page, options)
      continue
    }
    if (!Object.hasOwn(readings, name)) throw new Error(`There is no reading named ${JSON.stringify(name)}.`)
    const read: Read = readings[name as ReadingName]
    values[name] = read(page, options ?? {}, values, meter())
  }
  return { values, warnings: page.warnings }
}

const longestExplained = 200

function shortened(block: ExplainedBlock): ExplainedBlock {
  return { ...block, text: block.text.slice(0, longestExplained) }
}

// Rather the whole page than nothing.
function readMarkdown(page: HtmlPage, options: ReadingOptions, spend: Spend): string {
  const markdown = write(page, page.content, options, spend)
  if (markdown !== '') return markdown
  const whole = page.content === page.whole ? '' : write(page, page.whole, options, spend)
  if (whole !== '') page.warn('The main content of this page is empty, so all of it is given as markdown.')
  else if (!page.isPart) return writeOther(page, spend)
  return whole
}

/** A page that shows nothing but drawings or input fields is given as a code block of their texts. */
function writeOther(page: HtmlPage, spend: Spend): string {
  const lines = findOtherText(page.root)
  if (lines.length > 0) {
    const markdown = ['```', ...lines.map((line) => line.replaceAll('`', "'")), '```'].join('\n')
    spend(markdown.length)
    return markdown
  }
  if (page.html.trim() !== '') page.warn(page.isFile ? noTextInFile : noText)
  return ''
}

const noText =
  'This page shows no text. If its scripts need more time, set waitFor; if it is a picture, take a screenshot.'

const noTextInFile =
  'This file holds no text. It is empty, or it holds pictures, such as scanned pages, which need text recognition (OCR).'

function write(
  { base }: HtmlPage,
  content: Content,
  { removeBase64Images = true }: ReadingOptions,
  spend: Spend,
): string {
  const { root, removed, noscript, readsHidden, extraText = '' } = content
  const markdown = writeMarkdown(root, { base, removed, noscript, readsHidden, removeBase64Images, spend })
  return `${markdown.trim()}\n\n${extraText}`.trim()
}
