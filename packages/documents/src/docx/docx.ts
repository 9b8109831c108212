// Reads Word documents. The only module that imports mammoth.
import mammoth from 'mammoth'

import { countElements, type Converting } from '../converting.ts'
import { factsOf, officeFacts, type Converted } from '../facts.ts'
import { damaged } from '../refuse.ts'
import { readRelations } from '../relations.ts'
import { readXml } from '../xml/read.ts'
import { at, type XmlElement } from '../xml/tree.ts'
import { writeXml } from '../xml/write.ts'
import { openZip, packZip } from '../zip/zip.ts'
import { countItems, readNumbering } from './numbering.ts'
import { cutBody, openerStyle, readInPieces } from './long-bodies.ts'
import { joinTables, takeLongTables, type Pieces } from './long-tables.ts'
import { findParts, type Parts } from './parts.ts'
import { placeTables, prepare, tableMark, unmark, withoutMarks, type Preparing } from './prepare.ts'
import { headingStyle, readStyles } from './styles.ts'
import { tidy } from './tidy.ts'

const pieceElements = 4_000
const bytesOfElement = 40

/**
 * Reads a Word document in chunks of about `piece` elements (default 4,000). Rejects with `unsupported_file` if it is damaged,
 * `response_too_large` or `page_too_complex` if it exceeds the limits, and with the errors of the library.
 */
export async function readDocx(bytes: Uint8Array, work: Converting, piece = pieceElements): Promise<Converted> {
  const zip = openZip(bytes, work.limits)
  const bounds = { depth: work.limits.depth, take: countElements(work) }
  const xml: Xml = (name) => {
    const text = name === undefined ? undefined : zip.text(name)
    return text === undefined ? undefined : readXml(withoutMarks(text), bounds)
  }
  const parts = findParts(zip, xml)
  const main = xml(parts.main)
  if (main?.name !== 'w:document') throw damaged('it contains no document')
  const look = xml(parts.styles)
  const styles = readStyles(look)
  const counter = countItems(readNumbering(xml(parts.numbering)))
  const archive = preparedParts(parts, main, xml, { styles, counter, notes: new Set() })
  const tables = takeLongTables(at(main, 'w:body'), tableMark)
  const read: Read = (root, openerPath = '') => convert(archive, root, openerPath)
  const body = at(main, 'w:body')
  const pieces = cutBody(body, Math.max(piece, elementsOf(archive)))
  body.children = []
  const html = await readInPieces(pieces, (children, openerPath) =>
    read({ ...main, children: [{ ...body, children }] }, openerPath),
  )
  const rows = await readTables(tables, main, read)
  return {
    html: tidy(unmark(placeTables(html, rows))),
    facts: { ...factsOf({ language: languageOf(look) }), ...officeFacts(xml(parts.core), xml(parts.app)) },
  }
}

function languageOf(styles: XmlElement | undefined): string | undefined {
  return at(styles, 'w:docDefaults', 'w:rPrDefault', 'w:rPr', 'w:lang').attributes['w:val']
}

type Xml = (name: string | undefined) => XmlElement | undefined
type Archive = Readonly<Record<string, Uint8Array>>

/** Returns the archive for mammoth without the main document: only parts that were parsed and written by this package. */
function preparedParts(parts: Parts, main: XmlElement, xml: Xml, work: Omit<Preparing, 'targets'>): Archive {
  const out: Record<string, Uint8Array> = Object.create(null)
  const add = (name: string, root: XmlElement | undefined): void => {
    if (root) out[`word/${name}`] = Buffer.from(writeXml(root))
  }
  const addText = (name: string, root: XmlElement | undefined, path: string | undefined): void => {
    if (!root) return
    const relations = xml(parts.relations(path))
    prepare(root, { ...work, targets: new Set(readRelations(relations).map(({ id }) => id)) })
    if (root !== main) add(`${name}.xml`, root)
    add(`_rels/${name}.xml.rels`, relations)
  }
  addText('document', main, parts.main)
  addText('footnotes', xml(parts.footnotes), parts.footnotes)
  addText('endnotes', xml(parts.endnotes), parts.endnotes)
  add('styles.xml', xml(parts.styles))
  add('numbering.xml', xml(parts.numbering))
  return out
}

/** Estimates the number of elements in the other parts. They are read again with each chunk, so no chunk should be smaller. */
function elementsOf(archive: Archive): number {
  return Object.values(archive).reduce((sum, part) => sum + part.length, 0) / bytesOfElement
}

type Read = (root: XmlElement, openerPath?: string) => Promise<string>

/** Reads tables sequentially, so that only one chunk is in memory. */
async function readTables(tables: readonly Pieces[], main: XmlElement, read: Read): Promise<readonly string[]> {
  const found: string[] = []
  for (const pieces of tables) {
    const parts: string[] = []
    // `shift` drops each chunk once it is read.
    for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
      parts.push(await read({ ...main, children: [bodyOf(piece)] }))
    }
    found.push(joinTables(parts))
  }
  return found
}

function bodyOf(table: XmlElement): XmlElement {
  return { name: 'w:body', attributes: {}, children: [table] }
}

async function convert(archive: Archive, root: XmlElement, openerPath: string): Promise<string> {
  const zip = packZip({ ...archive, 'word/document.xml': Buffer.from(writeXml(root)) })
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength) },
    {
      styleMap: openerPath === '' ? styleMap : [`p.${openerStyle} => ${openerPath}`, ...styleMap],
      // A style map embedded in the document would override ours.
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
      idPrefix: 'note-',
    },
  )
  return value
}

const deepest = 9

// Mammoth compares each paragraph with each line, so the number of lines must not grow with the styles of a file.
const styleMap = makeStyleMap()

function makeStyleMap(): string[] {
  const headings = [1, 2, 3, 4, 5, 6].map((level) => `p.${headingStyle(level)} => h${level}:fresh`)
  const lists = Array.from({ length: deepest }, (_, level) => {
    const around = 'ul|ol > li > '.repeat(level)
    return [
      `p:unordered-list(${level + 1}) => ${around}ul > li:fresh`,
      `p:ordered-list(${level + 1}) => ${around}ol > li:fresh`,
    ]
  })
  return [
    ...headings,
    ...lists.flat(),
    "p[style-name='Quote'] => blockquote > p:fresh",
    "p[style-name='Intense Quote'] => blockquote > p:fresh",
    "p[style-name='Block Text'] => blockquote > p:fresh",
    "p[style-name='Quotations'] => blockquote > p:fresh",
    "p[style-name='HTML Preformatted'] => pre:separator('\\n')",
    "p[style-name='Preformatted Text'] => pre:separator('\\n')",
    "p[style-name='Source Code'] => pre:separator('\\n')",
    "r[style-name='HTML Code'] => code",
    "r[style-name='Source Text'] => code",
    "r[style-name='Verbatim Char'] => code",
    "r[style-name='Emphasis'] => em",
    'comment-reference =>',
  ]
}
