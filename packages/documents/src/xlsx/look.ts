// Formats the value of a cell by the number format of its style.
import { displayed } from '../sheet-library.ts'
import { at, childrenOf, type XmlElement } from '../xml/tree.ts'
import { plainText, type Strings } from './strings.ts'

/** Returns the displayed text of a cell by its type, its style and its raw content. */
export type Look = (type: string, style: number, raw: string) => string

/** Length of numbers in the format General: longer ones are rounded by the library. */
const generalLength = 11
const maxCached = 5_000

/**
 * Creates a function for the displayed text of cells, by their number format. `isFrom1904` selects the date system of old Macs.
 */
export function makeLook(styles: XmlElement | undefined, strings: Strings, isFrom1904: boolean): Look {
  const codes = readCodes(styles)
  const known = codes.map(() => new Map<string, string>())
  const numberText = (style: number, raw: string): string => {
    const code = codes[style] ?? 0
    const value = Number(raw)
    if (raw.trim() === '' || Number.isNaN(value)) return raw
    if (isGeneral(code)) return generalText(value)
    const cache = known[style]
    const found = cache?.get(raw)
    if (found !== undefined) return found
    const text = displayed(code, value, isFrom1904)
    if (cache && cache.size >= maxCached) cache.clear()
    cache?.set(raw, text)
    return text
  }
  const wordText = (style: number, text: string): string => {
    const code = codes[style] ?? 0
    // Only formats with the placeholder `@`, or with sections, change how a string is displayed.
    return typeof code === 'string' && /[@;]/.test(code) && text !== '' ? displayed(code, text, isFrom1904) : text
  }
  return (type, style, raw) => {
    if (type === 'n') return numberText(style, raw)
    if (type === 's') return wordText(style, strings(Number(raw)))
    if (type === 'b') return raw.trim() === '1' || raw.trim() === 'true' ? 'TRUE' : 'FALSE'
    if (type === 'e') return raw
    if (type === 'inlineStr') return wordText(style, raw)
    if (type !== 'd') return wordText(style, plainText(raw))
    const serial = serialOf(raw, isFrom1904)
    return serial === undefined || isGeneral(codes[style] ?? 0) ? raw : numberText(style, String(serial))
  }
}

function generalText(value: number): string {
  const text = String(value)
  return text.length <= generalLength && !text.includes('e') ? text : displayed('General', value, false)
}

const isGeneral = (code: string | number): boolean => code === 0 || code === 'General'

/** Returns the format of each style: a built-in number, or a code if the workbook defines it. */
function readCodes(styles: XmlElement | undefined): readonly (string | number)[] {
  const own = new Map(
    childrenOf(at(styles, 'x:numFmts'), 'x:numFmt').map(({ attributes }) => [
      Number(attributes['numFmtId']),
      attributes['formatCode'] ?? 'General',
    ]),
  )
  return childrenOf(at(styles, 'x:cellXfs'), 'x:xf').map(({ attributes }) => {
    const id = Number(attributes['numFmtId'] ?? 0)
    return own.get(id) ?? (Number.isInteger(id) && id >= 0 ? id : 0)
  })
}

const dayLength = 86_400_000
const epochDay = 25_569
const daysTo1904 = 1_462

/** Returns the serial number of an ISO date: days since the first day of the workbook's calendar. */
function serialOf(raw: string, isFrom1904: boolean): number | undefined {
  const time = Date.parse(/[Zz]$|T.*[+-]\d\d:\d\d$/.test(raw) ? raw : `${raw}${raw.includes('T') ? 'Z' : ''}`)
  return Number.isNaN(time) ? undefined : time / dayLength + epochDay - (isFrom1904 ? daysTo1904 : 0)
}
