// Opens Word documents of the years before 2007 ([MS-DOC]): their characters in pieces, and the parts of the table stream.
import type { CompoundStorage } from '@harvestman/toolbox/compound-file'

import { damaged, encrypted, refuse } from '../refuse.ts'

/** A run of characters with one encoding, stored contiguously. */
export interface Piece {
  /** Position of its first character in the document. */
  readonly from: number
  readonly to: number
  /** Offset of its first character in the main stream. */
  readonly at: number
  /** Bytes of one character: 1 for Windows-1252, 2 for UTF-16. */
  readonly width: 1 | 2
}

export interface DocFile {
  readonly main: Buffer
  readonly pieces: readonly Piece[]
  /** Number of characters of the body, of its footnotes, of headers, of comments, and of endnotes, in this order. */
  readonly lengths: {
    readonly body: number
    readonly footnotes: number
    readonly headers: number
    readonly comments: number
    readonly endnotes: number
  }
  /** Returns a part of the table stream by its number in the list of parts. */
  part(index: number): Buffer
  /** Returns the bytes of the table stream that follow the first `size` bytes of a part. */
  after(index: number, size: number): Buffer
}

const firstPart = 0x9a
const word97 = 0xc1
const clx = 33

/**
 * Opens a Word document. Throws `unsupported_file` if it is encrypted, older than Word 97, or has no text, and `RangeError` if a
 * number in it points outside of the file.
 */
export function openDoc(root: CompoundStorage): DocFile {
  const main = root.stream('WordDocument')
  if (!main || main.length < 0x200 || main.readUInt16LE(0) !== 0xa5ec) throw damaged('it contains no document')
  const flags = main.readUInt16LE(0x0a)
  if ((flags & 0x100) !== 0) throw encrypted()
  if (main.readUInt16LE(2) < word97) {
    const sentence = 'The file is a Word document in the format of before 1997. Save it as docx, and scrape that copy.'
    throw refuse('old-format', sentence)
  }
  const table = root.stream((flags & 0x200) === 0 ? '0Table' : '1Table')
  if (!table) throw damaged('it contains no list of its text')
  const part = (index: number): Buffer => {
    const start = main.readUInt32LE(firstPart + index * 8)
    return table.subarray(start, start + main.readUInt32LE(firstPart + index * 8 + 4))
  }
  return {
    main,
    part,
    after: (index, size) => table.subarray(main.readUInt32LE(firstPart + index * 8) + size),
    pieces: piecesOf(part(clx), main.length),
    lengths: {
      body: main.readUInt32LE(0x4c),
      footnotes: main.readUInt32LE(0x50),
      headers: main.readUInt32LE(0x54),
      comments: main.readUInt32LE(0x5c),
      endnotes: main.readUInt32LE(0x60),
    },
  }
}

function piecesOf(list: Buffer, fileLength: number): readonly Piece[] {
  let start = 0
  while (list[start] === 1) start += 3 + list.readUInt16LE(start + 1)
  if (list[start] !== 2) throw damaged('it contains no list of its text')
  const plc = list.subarray(start + 5, start + 5 + list.readUInt32LE(start + 1))
  const count = Math.floor((plc.length - 4) / 12)
  const pieces: Piece[] = []
  let left = fileLength
  for (let index = 0; index < count; index += 1) {
    const from = plc.readUInt32LE(index * 4)
    const to = plc.readUInt32LE(index * 4 + 4)
    const coded = plc.readUInt32LE((count + 1) * 4 + index * 8 + 2)
    const isNarrow = (coded & 0x40000000) !== 0
    const at = isNarrow ? (coded & 0x3fffffff) / 2 : coded & 0x3fffffff
    const width = isNarrow ? 1 : 2
    if (to <= from) continue
    // Pieces of a real file do not overlap.
    left -= (to - from) * width
    if (left < 0 || at + (to - from) * width > fileLength) throw damaged('its text is longer than the file')
    pieces.push({ from, to, at, width })
  }
  return pieces
}
