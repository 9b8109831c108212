// Reads workbooks of every type.
import { factsOf, type Converted, type Facts } from './facts.ts'
import type { Converting } from './converting.ts'
import { isEncrypted } from './compound.ts'
import { boundRepeats } from './odf/repeats.ts'
import { encrypted, quotedName } from './refuse.ts'
import { readBook, type LibraryBook, type LibrarySheet } from './sheet-library.ts'
import { layGrid, type SheetView } from './sheet-table.ts'
import { openWorkbook, type Workbook } from './xlsx/xlsx.ts'
import { decodeXml, isZip, openZip, packZip, type Zip } from './zip/zip.ts'
import { escapeText, unescapeXml } from './xml/entities.ts'
import { attributesOfTags } from './xml/tags.ts'

/**
 * Reads a workbook: a heading and a table for each visible sheet. Throws `unsupported_file` if it is encrypted,
 * `response_too_large` if its archive exceeds the limits, and the error of the library if it is damaged.
 */
export function readSheets(bytes: Uint8Array, work: Converting): Converted {
  if (isEncrypted(bytes)) throw encrypted()
  const zip = isZip(bytes) ? openZip(bytes, work.limits) : undefined
  const { sheets, facts } = (zip && openWorkbook(zip, work)) ?? openWithLibrary(bytes, zip, work)
  const left = { rows: work.limits.rows, cells: work.limits.cells, characters: work.limits.characters }
  const parts: string[] = []
  for (const { name, isHidden, view } of sheets) {
    if (isHidden) work.warn(`The sheet ${quotedName(name)} is hidden, so it is left out.`)
    else parts.push(`<h2>${escapeText(name)}</h2>`, layGrid(name, view(left), left, work.warn))
  }
  return { html: parts.join(''), facts }
}

/** Opens workbooks that are not XLSX, with the library: xlsb, xls and ods. */
function openWithLibrary(bytes: Uint8Array, zip: Zip | undefined, { limits, warn }: Converting): Workbook {
  const parts = zip && partsOf(zip)
  const contentXml = parts?.['content.xml']
  const bounded = contentXml && boundRepeats(decodeXml(contentXml), limits)
  if (parts && bounded?.isCut) {
    warn(
      `The workbook repeats cells to more than ${limits.cells}, or rows to more than ${limits.rows}; the rest is left out.`,
    )
    parts['content.xml'] = Buffer.from(bounded.xml)
  }
  const book = readBook(parts ? packZip(parts) : bytes, limits)
  const content = parts?.['content.xml']
  const hidden = content ? hiddenTables(decodeXml(content)) : new Set()
  const sheets = book.SheetNames.map((coded, index) => {
    const name = unescapeXml(coded)
    const sheet = book.Sheets[coded] ?? {}
    return { name, isHidden: isHidden(book, index) || hidden.has(name), view: () => shown(sheet, limits.rows) }
  })
  return { sheets, facts: factsOfBook(book) }
}

/**
 * Returns the unpacked parts. The library trusts the sizes in an archive when it unpacks, so it gets one without compression.
 */
function partsOf(zip: Zip): Record<string, Uint8Array> {
  const parts: Record<string, Uint8Array> = Object.create(null)
  for (const name of zip.names) {
    if (!isRead.test(name) || isForbidden.test(name)) continue
    const part = zip.bytes(name)
    if (part) parts[name] = part
  }
  return parts
}

const isRead = /\.(?:xml|rels|bin)$|^mimetype$/i
const isForbidden =
  /^(?:xl\/(?:media|drawings|charts|embeddings|printerSettings|threadedComments|comments|externalLinks|pivot)|customXml|Pictures|Thumbnails|Object|Configurations)|vbaProject|(?:^|\/)__proto__/i

const styleStart = /<style:style\b([^<>]*)>/g

/** Returns the names of hidden tables of an OpenDocument sheet by their styles, which the library ignores. */
function hiddenTables(content: string): ReadonlySet<string> {
  const valueIn = (tag: string, name: string): string | undefined => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  const hidden = new Set<string | undefined>()
  let at = 0
  // Each style ends at the next one: a search for the end tag of each takes quadratic time in a file without end tags.
  let open: string | undefined
  const closeAt = (end: number): void => {
    if (open !== undefined && /\stable:display="false"/.test(content.slice(at, end)))
      hidden.add(valueIn(open, 'style:name'))
  }
  for (const { 0: whole, 1: tag = '', index } of content.matchAll(styleStart)) {
    closeAt(index)
    open = tag
    at = index + whole.length
  }
  const lastEnd = content.indexOf('</style:style>', at)
  if (lastEnd >= 0) closeAt(lastEnd)
  if (hidden.size === 0) return new Set()
  // `valueIn` searches for white space before a name.
  const tables = attributesOfTags(content, 'table:table').map((tag) => ` ${tag}`)
  const names = tables
    .filter((tag) => hidden.has(valueIn(tag, 'table:style-name')))
    .map((tag) => valueIn(tag, 'table:name'))
  return new Set(names.map((name) => unescapeXml(name ?? '')))
}

function isHidden(book: LibraryBook, index: number): boolean {
  return (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0
}

type Rows = SheetView['rows']

function shown(sheet: LibrarySheet, readRows: number): SheetView {
  return {
    rows: (sheet['!data'] as Rows | undefined) ?? [],
    merges: sheet['!merges'] ?? [],
    // The last row according to the file, which may be after the last row that was read.
    lastRow: lastRowOf(String(sheet['!fullref'] ?? sheet['!ref'] ?? '')),
    readRows,
  }
}

function lastRowOf(range: string): number {
  return Number(/(\d+)$/.exec(range)?.[1] ?? 0)
}

function factsOfBook({ Props = {}, SheetNames }: LibraryBook): Facts {
  // Files without a creation date contain the year 1601.
  const time = (value: unknown): string | undefined => {
    const date = value instanceof Date || typeof value === 'string' ? new Date(value) : undefined
    return date && date.getUTCFullYear() > 1980 ? date.toISOString() : undefined
  }
  return factsOf({
    title: Props.Title,
    author: Props.Author,
    description: Props.Comments ?? Props.Subject,
    keywords: Props.Keywords,
    createdTime: time(Props.CreatedDate),
    modifiedTime: time(Props.ModifiedDate),
    numSheets: SheetNames.length,
  })
}
