// Entry point of this module: takes HTML as a string and returns plain values that can be passed between threads.

import { findAnchors } from './anchors.ts'
import { findAttributes, type AttributeRequest } from './attributes.ts'
import { isLeftOut, textInContent, type Content } from '../page/content.ts'
import { fingerprint } from './fingerprint.ts'
import { collectData } from '../data/collect.ts'
import { conceptsIn, fillSchema } from '../data/fill.ts'
import { readSourcedFacts } from '../facts/facts.ts'
import { findImages } from './images.ts'
import { findAllLinks, findLinks, findUnseenLinks } from './links.ts'
import { readLogin, type LoginMarker } from './login.ts'
import { findMedia } from './media.ts'
import { readMetadata } from './metadata.ts'
import type { ExplainedBlock } from '../main-content/explain.ts'
import { findOtherText } from './other-text.ts'
import { findTexts } from './texts.ts'
import { spendNothing, type Spend } from '../tree/output.ts'
import { openPage, type HtmlPage, type PageSource, type ReadingScope } from '../page/page.ts'
import { toHtml } from '../parse/serialize.ts'
import { whyShell } from './shell.ts'
import { readSignals } from './signals.ts'
import { writeMarkdown } from '../markdown/write-markdown.ts'

export type { ReadingScope } from '../page/page.ts'

/** Reads one value from a page. `known` has the values read before it. Options were validated with the request. */
type Read = (page: HtmlPage, options: ReadingOptions, known: Readonly<Record<string, unknown>>, spend: Spend) => unknown

/** Options of all readers. Each reader uses its own. */
export interface ReadingOptions {
  readonly removeBase64Images?: boolean
  readonly selectors?: readonly AttributeRequest[]
  /** Selectors of elements whose text is returned. */
  readonly elements?: readonly string[]
  /** A JSON Schema to fill from the page's structured data. */
  readonly schema?: unknown
  /** What the page shows to visitors who are logged in. */
  readonly marker?: LoginMarker
}

const readings = {
  markdown: (page, options, _, spend) => readMarkdown(page, options, spend),
  html: ({ content, base }, _, __, spend) =>
    toHtml(content.root, { base, spend, leaveOut: (node) => isLeftOut(content, node) }),
  rawHtml: ({ html }) => html,
  // Markdown or plain text, as long as all pages of a crawl use the same one.
  fingerprint: ({ content }, _, { markdown }) =>
    fingerprint(typeof markdown === 'string' ? markdown : textInContent(content)),
  links: ({ content, base }, _, __, spend) => findLinks(content, base, spend),
  allLinks: (page, _, __, spend) => findAllLinks(page, spend),
  unseenLinks: (page, _, __, spend) => findUnseenLinks(page, spend),
  anchors: (page, _, __, spend) => findAnchors(page, spend),
  images: ({ fullContent, base }, _, __, spend) => findImages(fullContent, base, spend),
  media: ({ root, base }, _, __, spend) => findMedia(root, base, spend),
  metadata: ({ elements, base }) => readMetadata(elements, base),
  facts: ({ elements, base }) => readSourcedFacts(elements, base),
  attributes: ({ root, warn }, { selectors = [] }, _, spend) => findAttributes(root, selectors, warn, spend),
  texts: ({ root, warn }, { elements = [] }) => findTexts(root, elements, warn),
  filled: ({ visible, base }, { schema }) =>
    schema == null ? undefined : fillSchema(schema, collectData(visible, base, { wanted: conceptsIn(schema) })),
  signals: ({ root }) => readSignals(root),
  explain: ({ content }) => (content.explain?.() ?? []).map(shortened),
  hidden: (page) => page.hiddenText({ maxItems: 50, maxText: 200 }),
  hiddenText: (page, _, __, spend) => readHiddenText(page, spend),
  login: (page, { marker }) => readLogin(page, marker),
  shell: ({ root }) => whyShell(root),
} satisfies Readonly<Record<string, Read>>

export type ReadingName = keyof typeof readings

/** A value to read from a page: by the reader with this name, or by a function. */
export interface ReadingRequest {
  readonly name: string
  readonly options?: unknown
  readonly read?: (page: HtmlPage, options: unknown) => unknown
}

/** The values read from a page. */
export interface ReadValues {
  /** Plain data by name. */
  readonly values: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}

/**
 * Reads the requested values from a page. The page is parsed, and its content chosen, at most once and only if needed. `meter`
 * is called once per built-in reader; the function that it returns is called as the value grows, and may throw to stop it.
 * Throws an `Error` for a reader that does not exist, and what the `read` functions throw.
 */
export function readHtml(
  source: PageSource,
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

/** Returns the complete hidden text, up to 1,000 removed and 1,000 other passages of 10,000 characters. */
function readHiddenText(page: HtmlPage, spend: Spend): ReturnType<HtmlPage['hiddenText']> {
  const found = page.hiddenText({ maxItems: 1_000, maxText: 10_000 })
  for (const { text } of found) spend(text.length, 4)
  return found
}

const maxExplainedLength = 200

function shortened(block: ExplainedBlock): ExplainedBlock {
  return { ...block, text: block.text.slice(0, maxExplainedLength) }
}

// Falls back to the whole page if the main content is empty.
function readMarkdown(page: HtmlPage, options: ReadingOptions, spend: Spend): string {
  const markdown = write(page, page.content, options, spend)
  if (markdown !== '') return markdown
  const full = page.content === page.fullContent ? '' : write(page, page.fullContent, options, spend)
  if (full !== '') page.warn('The main content of this page is empty, so all of it is given as markdown.')
  else if (!page.isPart) return writeOther(page, spend)
  return full
}

/** Returns a code block with the contents of SVG images and input fields, for pages without any other text. */
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
  { base, isFile }: HtmlPage,
  content: Content,
  { removeBase64Images = true }: ReadingOptions,
  spend: Spend,
): string {
  const { root, removed, noscript, readsHidden, extraText = '' } = content
  // The Markdown of web pages has no HTML tables, like that of the public API. Documents need the spans more often.
  const options = { base, removed, noscript, readsHidden, removeBase64Images, keepsSpans: isFile, spend }
  const markdown = writeMarkdown(root, options)
  return (extraText === '' ? markdown : `${markdown.trim()}\n\n${extraText}`).trim()
}
