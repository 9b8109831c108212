// The shared strings of a workbook, which cells refer to by index. Each is decoded when a cell uses it.
import { unescapeXml } from '../xml/entities.ts'

export type Strings = (index: number) => string

/** Returns a function for the shared strings by index. They are decoded on first use; an unknown index is an empty string. */
export function findStrings(xml: string): Strings {
  const starts: number[] = []
  const item = /<(?:\w+:)?si[\s/>]/g
  while (item.test(xml)) starts.push(item.lastIndex)
  const known = new Map<number, string>()
  return (index) => {
    const start = starts[index]
    if (start === undefined) return ''
    const text = known.get(index) ?? textOfItem(xml.slice(start, starts[index + 1] ?? xml.length))
    known.set(index, text)
    return text
  }
}

// Each ends before the next begins: an expression that may pass it takes quadratic time in a file without end tags.
const phonetic = /<(?:\w+:)?rPh[\s>](?:(?!<(?:\w+:)?rPh[\s>])[^])*?<\/(?:\w+:)?rPh>/g
const piece = /<(?:\w+:)?t(?:\s[^<>]*)?>([^<]*)/g

/** Returns the plain text of a string item, which may consist of several formatted runs. Omits phonetic guides. */
export function textOfItem(xml: string): string {
  let text = ''
  for (const [, found = ''] of (xml.includes('rPh') ? xml.replaceAll(phonetic, '') : xml).matchAll(piece)) text += found
  return plainText(text)
}

/**
 * Decodes entities, and characters that XML cannot contain, which are written as `_x000D_` (ECMA-376 part 1, section 22.9.2.19).
 */
export function plainText(xml: string): string {
  const text = unescapeXml(xml)
  if (!text.includes('_x')) return text
  return text.replaceAll(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
