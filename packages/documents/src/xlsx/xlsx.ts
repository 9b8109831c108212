// Reads Excel workbooks with XML parts. For long sheets this is many times faster than the library, because it reads no more
// than is shown.
import type { Converting } from '../converting.ts'
import { factsOf, officeFacts, type Facts } from '../facts.ts'
import type { Limits } from '../limits.ts'
import { readRelations, relationsOf, resolvePart, type Relation } from '../relations.ts'
import type { SheetView } from '../sheet-table.ts'
import { readXml } from '../xml/read.ts'
import { at, childrenOf, type XmlElement } from '../xml/tree.ts'
import type { Zip } from '../zip/zip.ts'
import { addLinks, mergesIn } from './around.ts'
import { makeLook, type Look } from './look.ts'
import { scanRows, type Most } from './scan.ts'
import { findStrings } from './strings.ts'

export interface Workbook {
  readonly sheets: readonly Sheet[]
  readonly facts: Facts
}

export interface Sheet {
  readonly name: string
  readonly isHidden: boolean
  /** Reads the sheet, as far as it is shown. */
  view(most: Most): SheetView
}

/**
 * Opens a workbook of Excel 2007 or later. Returns `undefined` if the archive is not such a workbook. Throws the errors of
 * `openZip` for its parts, and `page_too_complex` if they are nested too deeply; `view` throws these too.
 */
export function openWorkbook(zip: Zip, { limits, warn }: Converting): Workbook | undefined {
  const xml = (name: string): XmlElement | undefined => {
    const text = zip.text(name)
    return text === undefined ? undefined : readXml(text, limits)
  }
  const main = readRelations(xml('_rels/.rels')).find(({ kind }) => kind === 'officeDocument')
  const path = resolvePart('', main?.target ?? 'xl/workbook.xml')
  const book = path.endsWith('.xml') ? xml(path) : undefined
  if (book?.name !== 'x:workbook') return undefined
  const relations = readRelations(xml(relationsOf(path)))
  const part = (isOne: (relation: Relation) => boolean): string | undefined => {
    const relation = relations.find((candidate) => isOne(candidate) && !candidate.isExternal)
    return relation && resolvePart(path, relation.target)
  }
  const styles = part(({ kind }) => kind === 'styles')
  const strings = part(({ kind }) => kind === 'sharedStrings')
  const look = makeLook(
    styles === undefined ? undefined : xml(styles),
    findStrings(strings === undefined ? '' : (zip.text(strings) ?? '')),
    isTrue(at(book, 'x:workbookPr').attributes['date1904']),
  )
  const nameOf = ({ attributes }: XmlElement): string | undefined =>
    part(({ id, kind }) => id === attributes['r:id'] && kind === 'worksheet')
  const all = childrenOf(at(book, 'x:sheets'), 'x:sheet').map((sheet) => ({ sheet, name: nameOf(sheet) }))
  const listed = [...new Map(all.map((one) => [one.name ?? one, one])).values()]
  if (listed.length < all.length) {
    warn(`The workbook lists sheets again that it listed before; ${all.length - listed.length} are left out.`)
  }
  return {
    sheets: listed.map(({ sheet: { attributes }, name }) => {
      return {
        name: attributes['name'] ?? '',
        isHidden: (attributes['state'] ?? 'visible') !== 'visible',
        view: (most) => viewSheet(zip, name, limits, look, most),
      }
    }),
    facts: { ...officeFacts(xml('docProps/core.xml'), undefined), ...factsOf({ numSheets: listed.length }) },
  }
}

function isTrue(word: string | undefined): boolean {
  return word === '1' || word === 'true'
}

function viewSheet(zip: Zip, name: string | undefined, limits: Limits, look: Look, most: Most): SheetView {
  const text = name === undefined ? '' : (zip.text(name) ?? '')
  const { rows, lastRow } = scanRows(text, look, most)
  const around = text.slice(text.lastIndexOf('sheetData') + 1)
  const relations = name === undefined ? undefined : zip.text(relationsOf(name))
  if (relations !== undefined) addLinks(rows, around, readRelations(readXml(relations, limits)))
  return { rows, merges: mergesIn(around), lastRow, readRows: Infinity }
}
