import { isUtf8 } from 'node:buffer'

import { decoderFor, type Decoder } from '@harvestman/net/text'
import type { TextKind } from './xml-tokens.ts'

const named: ReadonlyMap<string, string> = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }))

/** Decodes the content of an element, without surrounding whitespace. */
export type TextOf = (bytes: Buffer, start: number, end: number, kind: TextKind) => string

/** Creates a decoder that uses the declared encoding if the bytes are not UTF-8, or Windows-1252 if none is declared. */
export function makeTextOf(head: Buffer): TextOf {
  const declared = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(
    head.toString('latin1', 0, 300),
  )?.[1]
  let fallback: Decoder | undefined
  return (bytes, start, end, kind) => {
    if (kind === 'plain') return bytes.toString('latin1', start, end).trim()
    const own = bytes.subarray(start, end)
    const text = (isUtf8(own) ? own.toString('utf8') : decode(own)).trim()
    return kind === 'raw' ? text : withoutReferences(text)
  }
  function decode(bytes: Buffer): string {
    // Bytes that are not UTF-8 are not in any other Unicode encoding either, whatever is declared.
    fallback ??= (declared && !/^utf/i.test(declared) && decoderFor(declared)) || decoderFor('windows-1252')!
    return fallback.decode(bytes)
  }
}

/** Decodes the predefined entities of XML and no others: those declared in a document type stay unchanged. */
function withoutReferences(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named.get(name.toLowerCase()) ?? whole
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
