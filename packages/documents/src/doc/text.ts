// Splits the text of a document into paragraphs, with the control characters that have a meaning.
import { makeRuns, type RunWriter } from './runs.ts'
import type { DocFile, Piece } from './file.ts'
import type { Properties, PropertiesAt } from './properties.ts'

export interface DocParagraph {
  readonly html: string
  readonly properties: Properties
  /** Whether it ends a cell or a row of a table. */
  readonly endsCell: boolean
}

export interface TextWork {
  readonly file: DocFile
  readonly paragraphAt: PropertiesAt
  readonly textAt: PropertiesAt
  /** Returns the HTML of the reference to the note whose mark is at this position, if there is one. */
  readonly note: (position: number) => string
}

const cellEnd = 0x07
const sectionEnd = 0x0c
const paragraphEnd = 0x0d

/** Reads the paragraphs between two positions of the text. */
export function* paragraphsIn(from: number, to: number, work: TextWork): Generator<DocParagraph> {
  const { file, paragraphAt, textAt, note } = work
  const runs = makeRuns()
  for (const piece of file.pieces) {
    const end = Math.min(piece.to, to)
    let position = Math.max(piece.from, from)
    while (position < end) {
      const offset = piece.at + (position - piece.from) * piece.width
      const found = textAt(offset)
      const size = Math.max(1, Math.ceil((found.end - offset) / piece.width))
      const stop = Math.min(end, position + size)
      yield* segment({ piece, from: position, to: stop, file, properties: found.properties })
      position = stop
    }
  }
  if (!runs.isEmpty()) yield { html: runs.take(), properties: {}, endsCell: false }

  function* segment(part: Segment): Generator<DocParagraph> {
    const text = decode(part)
    let start = 0
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index)
      if (code >= 0x20 && code !== 0xad) continue
      runs.add(text.slice(start, index), part.properties)
      start = index + 1
      if (code === cellEnd || code === paragraphEnd || code === sectionEnd) {
        const offset = part.piece.at + (part.from + index - part.piece.from) * part.piece.width
        yield { html: runs.take(), properties: paragraphAt(offset).properties, endsCell: code === cellEnd }
      } else addControl(runs, code, part.properties, () => note(part.from + index))
    }
    runs.add(text.slice(start), part.properties)
  }
}

interface Segment {
  readonly piece: Piece
  readonly from: number
  readonly to: number
  readonly file: DocFile
  readonly properties: Properties
}

const narrow = new TextDecoder('windows-1252')
const wide = new TextDecoder('utf-16le')

function decode({ piece, from, to, file }: Segment): string {
  const start = piece.at + (from - piece.from) * piece.width
  return (piece.width === 1 ? narrow : wide).decode(file.main.subarray(start, start + (to - from) * piece.width))
}

function addControl(runs: RunWriter, code: number, properties: Properties, note: () => string): void {
  if (code === 0x13) runs.beginField()
  else if (code === 0x14) runs.showField()
  else if (code === 0x15) runs.endField()
  else if (code === 0x09) runs.add('\t', properties)
  else if (code === 0x0b) runs.addHtml('<br>', properties)
  else if (code === 0x1e) runs.add('\u2011', properties)
  else if (code === 0x02) runs.addHtml(note(), {})
}
