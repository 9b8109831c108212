import type { DocumentTally } from '@harvestman/threads'
import { decodeText } from '@harvestman/net/text'
import type { PlainText, TextFileKind } from '../plugin/parts.ts'
import { wrapInCodeFence } from './fenced.ts'
import { writeTable, type WrittenText } from './table.ts'

type Write = (text: string, tally: DocumentTally) => WrittenText

const writers: Readonly<Record<TextFileKind, Write>> = {
  plain: (text) => ({ markdown: text }),
  base64: (text) => ({ markdown: text }),
  json: (text) => ({ markdown: wrapInCodeFence('json', text) }),
  xml: (text) => ({ markdown: wrapInCodeFence('xml', text) }),
  code: (text) => ({ markdown: wrapInCodeFence('', text) }),
  table: (text, tally) => writeTable(text, tally),
  'table of tabs': (text, tally) => writeTable(text, tally, '\t'),
}

/** Decodes a text file, or encodes it as base64 if that is its kind. Invalid bytes do not throw. */
export function decodeTextFile({ bytes, contentType, kind }: PlainText): string {
  if (kind !== 'base64') return decodeText(bytes, contentType, { html: false }).text
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/**
 * Converts a decoded text file to Markdown. Throws `page_too_complex` for a table that exceeds the limit of `tally` (see
 * `writeTable`); other kinds are not limited here.
 */
export function writeText(text: string, kind: TextFileKind, tally: DocumentTally): WrittenText {
  return writers[kind](text, tally)
}
