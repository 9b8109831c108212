// Metadata of a file, with the field names of the API.
import { escapeText, escapeValue } from './xml/entities.ts'
import { at, childrenOf, textIn, type XmlElement } from './xml/tree.ts'

export interface Facts {
  readonly title?: string
  readonly author?: string
  readonly description?: string
  readonly keywords?: string
  readonly language?: string
  readonly publisher?: string
  readonly createdTime?: string
  readonly modifiedTime?: string
  readonly publishedTime?: string
  readonly numPages?: number
  readonly numSheets?: number
  readonly numSlides?: number
  readonly numChapters?: number
}

export interface Converted {
  /** Content of the body. */
  readonly html: string
  readonly facts: Facts
}

/** Returns the metadata without missing and empty values. Long strings are truncated to 1,000 characters. */
export function factsOf(
  found: Readonly<Record<keyof Facts, string | number | undefined> | Record<string, string | number | undefined>>,
): Facts {
  const entries = Object.entries(found).map(([key, value]) => [key, typeof value === 'string' ? tidy(value) : value])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''))
}

const maxFactLength = 1_000

function tidy(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, maxFactLength)
}

/**
 * Returns the metadata in `docProps/core.xml` and `docProps/app.xml` of an Office file. Missing parts and values are omitted.
 */
export function officeFacts(core: XmlElement | undefined, app: XmlElement | undefined): Facts {
  const firstOf = (...names: readonly string[]): string | undefined =>
    names.map((name) => textIn(at(core, name)).trim()).find((text) => text !== '')
  return factsOf({
    title: firstOf('dc:title'),
    author: firstOf('dc:creator'),
    description: firstOf('dc:description', 'dc:subject'),
    keywords: firstOf('cp:keywords'),
    language: firstOf('dc:language'),
    createdTime: firstOf('dcterms:created'),
    modifiedTime: firstOf('dcterms:modified'),
    numPages: count(textIn(at(app, 'ep:Pages'))),
  })
}

/** Returns the metadata in `meta.xml` of an OpenDocument file. Empty if there is none. */
export function openDocumentFacts(root: XmlElement | undefined): Facts {
  const meta = at(root, 'office:meta')
  const metaText = (name: string): string | undefined => textIn(at(meta, name))
  const { attributes: statistic } = at(meta, 'meta:document-statistic')
  return factsOf({
    title: metaText('dc:title'),
    author: metaText('meta:initial-creator') || metaText('dc:creator'),
    description: metaText('dc:description') || metaText('dc:subject'),
    keywords: childrenOf(meta, 'meta:keyword').map(textIn).join(', '),
    language: metaText('dc:language'),
    createdTime: metaText('meta:creation-date'),
    modifiedTime: metaText('dc:date'),
    numPages: count(statistic['meta:page-count']),
  })
}

/** Parses a positive number of at most seven digits, such as a number of pages. Returns `undefined` for anything else. */
export function count(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,7}$/.test(text) && text !== '0' ? Number(text) : undefined
}

/** Returns the complete page with its title and language, for formats that return the HTML. */
export function toPage({ html, facts }: Converted): string {
  const { title, language } = facts
  const lang = language === undefined ? '' : ` lang="${escapeValue(language)}"`
  const named = title === undefined ? '' : `<title>${escapeText(title)}</title>`
  return `<!DOCTYPE html><html${lang}><head><meta charset="utf-8">${named}</head><body>${html}</body></html>`
}
