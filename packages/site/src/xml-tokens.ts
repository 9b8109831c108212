/**
 * Receives the tokens of an XML stream. Names are numbers (see `nameNumber`) and text is a range of bytes, so that unneeded
 * tokens are never decoded.
 */
export interface TokenTaker {
  /** Handles a start tag and returns whether its text is needed. The attributes are in the bytes from `start` to `end`. */
  open(name: number, prefix: number, bytes: Buffer, start: number, end: number): boolean
  close(name: number): void
  /** Handles text in the bytes from `start` to `end`. */
  text(bytes: Buffer, start: number, end: number, kind: TextKind): void
}

/** `plain`: ASCII without entities. `encoded`: may contain entities. `raw`: a CDATA section. */
export type TextKind = 'plain' | 'encoded' | 'raw'

export interface XmlTokens {
  /** Reads a chunk. An incomplete token at its end is read again with the next chunk. */
  feed(piece: Buffer): void
}

const firstNumber = 7

/**
 * Returns a hash of a name, ignoring case, to compare names with: there is a tag every ten bytes, so none is converted to a
 * string.
 */
export function nameNumber(name: string): number {
  let number = firstNumber
  for (let at = 0; at < name.length; at++) number = step(number, name.charCodeAt(at))
  return number
}

function step(number: number, byte: number): number {
  return (Math.imul(number, 31) + (byte | 0x20)) | 0
}

const lessThan = 0x3c
const greaterThan = 0x3e
const slash = 0x2f
const colon = 0x3a
const exclamation = 0x21
const question = 0x3f
const quote = 0x22
const apostrophe = 0x27
const ampersand = 0x26
const squareOpen = 0x5b
const squareClose = 0x5d

// URLs are limited to 8 KB; no real tag is longer than this either.
const maxTokenBytes = 16_384
const roomBytes = 5 * maxTokenBytes

type Skipped = 'comment' | 'raw' | 'instruction' | 'doctype' | 'doctype subset' | 'doctype end'

interface Reader {
  readonly taker: TokenTaker
  /** The construct that is being skipped, which may continue in the next chunk. */
  skipped: Skipped | undefined
  isTextWanted: boolean
  isPlain: boolean
  name: number
  prefix: number
}

/**
 * Creates a tokenizer that works in constant memory and one pass, however malformed the XML is. Document types are skipped, so
 * entities are never expanded or fetched.
 */
export function xmlTokens(taker: TokenTaker): XmlTokens {
  const reader: Reader = { taker, skipped: undefined, isTextWanted: false, isPlain: true, name: 0, prefix: 0 }
  // One buffer for all chunks: the rest of the last chunk is placed before the next one.
  const room = Buffer.allocUnsafe(roomBytes)
  let left = 0
  return {
    feed: (piece) => {
      for (let from = 0; from < piece.length;) {
        const copied = piece.copy(room, left, from)
        from += copied
        const bytes = room.subarray(0, left + copied)
        const end = readAll(reader, bytes)
        left = bytes.length - end
        if (left > 0) room.copyWithin(0, end, bytes.length)
      }
    },
  }
}

/** Returns the offset up to which everything was read. */
function readAll(reader: Reader, bytes: Buffer): number {
  let at = 0
  while (at < bytes.length) {
    if (reader.skipped) {
      const next = passOver(reader, bytes, at)
      if (reader.skipped) return next
      at = next
      continue
    }
    const tag = reader.isTextWanted ? wantedTextEnd(reader, bytes, at) : textEnd(bytes, at)
    if (reader.isTextWanted && tag > at) {
      if (tag < bytes.length) reader.taker.text(bytes, at, tag, reader.isPlain ? 'plain' : 'encoded')
      else if (bytes.length - at <= maxTokenBytes) return at
      else reader.isTextWanted = false
    }
    if (tag === bytes.length) return tag
    const next = readMarkup(reader, bytes, tag)
    if (next < 0 && bytes.length - tag <= maxTokenBytes) return tag
    // A tag without an end is text.
    at = next < 0 ? tag + 1 : next
  }
  return at
}

function textEnd(bytes: Buffer, from: number): number {
  const end = bytes.length
  let at = from
  while (at < end && bytes[at] !== lessThan) at++
  return at
}

/** Finds the end of a text node and checks whether it is plain, so that most nodes need no decoding. */
function wantedTextEnd(reader: Reader, bytes: Buffer, from: number): number {
  const end = bytes.length
  let at = from
  let bits = 0
  let hasReference = false
  for (; at < end; at++) {
    const byte = bytes[at]!
    if (byte === lessThan) break
    bits |= byte
    if (byte === ampersand) hasReference = true
  }
  reader.isPlain = bits < 0x80 && !hasReference
  return at
}

/** Reads the markup that begins at `tag`, and returns the offset behind it, or -1 if its end is missing. */
function readMarkup(reader: Reader, bytes: Buffer, tag: number): number {
  const first = bytes[tag + 1]
  if (first === undefined) return -1
  if (first === slash) return readClose(reader, bytes, tag)
  if (first === exclamation) return readDeclaration(reader, bytes, tag)
  if (first === question) {
    reader.skipped = 'instruction'
    return tag + 2
  }
  return isNameStart(first) ? readOpen(reader, bytes, tag) : tag + 1
}

function isNameStart(byte: number): boolean {
  const small = byte | 0x20
  return (small >= 0x61 && small <= 0x7a) || byte === 0x5f || byte >= 0x80
}

function readClose(reader: Reader, bytes: Buffer, tag: number): number {
  let at = readName(reader, bytes, tag + 2)
  while (at < bytes.length && bytes[at] !== greaterThan && bytes[at] !== lessThan) at++
  if (at === bytes.length) return -1
  reader.isTextWanted = false
  reader.taker.close(reader.name)
  return bytes[at] === lessThan ? at : at + 1
}

function readOpen(reader: Reader, bytes: Buffer, tag: number): number {
  const nameEnd = readName(reader, bytes, tag + 1)
  const end = tagEnd(bytes, nameEnd)
  if (end < 0) return -1
  const isClosed = bytes[end - 1] === slash
  const wants = reader.taker.open(reader.name, reader.prefix, bytes, nameEnd, end)
  reader.isTextWanted = wants && !isClosed
  if (isClosed) reader.taker.close(reader.name)
  return end + 1
}

/** Stores the numbers of the name and its prefix in the reader. */
function readName(reader: Reader, bytes: Buffer, from: number): number {
  let at = from
  let name = firstNumber
  let prefix = 0
  for (; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte <= 0x20 || byte === greaterThan || byte === slash || byte === lessThan) break
    if (byte === colon) {
      prefix = name
      name = firstNumber
    } else name = step(name, byte)
  }
  reader.name = name
  reader.prefix = prefix
  return at
}

function tagEnd(bytes: Buffer, from: number): number {
  let inside = 0
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (inside !== 0) {
      if (byte === inside) inside = 0
    } else if (byte === greaterThan) return at
    else if (byte === quote || byte === apostrophe) inside = byte
  }
  return -1
}

const rawStart = Buffer.from('<![CDATA[')
const rawEnd = Buffer.from(']]>')

function readDeclaration(reader: Reader, bytes: Buffer, tag: number): number {
  if (bytes.length < tag + rawStart.length) return -1
  if (bytes[tag + 2] === 0x2d && bytes[tag + 3] === 0x2d) {
    reader.skipped = 'comment'
    return tag + 4
  }
  const start = tag + rawStart.length
  if (bytes.compare(rawStart, 0, rawStart.length, tag, start) !== 0) {
    reader.skipped = 'doctype'
    return tag + 2
  }
  if (!reader.isTextWanted) {
    reader.skipped = 'raw'
    return start
  }
  const end = bytes.indexOf(rawEnd, start)
  if (end < 0) return -1
  reader.taker.text(bytes, start, end, 'raw')
  return end + rawEnd.length
}

const ends: Readonly<Partial<Record<Skipped, Buffer>>> = {
  comment: Buffer.from('-->'),
  raw: rawEnd,
  instruction: Buffer.from('?>'),
}

function passOver(reader: Reader, bytes: Buffer, from: number): number {
  const mark = ends[reader.skipped!]
  if (!mark) return passDoctype(reader, bytes, from)
  const end = bytes.indexOf(mark, from)
  if (end < 0) return Math.max(from, bytes.length - mark.length + 1)
  reader.skipped = undefined
  return end + mark.length
}

function passDoctype(reader: Reader, bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (reader.skipped === 'doctype subset') {
      if (byte === squareClose) reader.skipped = 'doctype end'
    } else if (byte === greaterThan) {
      reader.skipped = undefined
      return at + 1
    } else if (reader.skipped === 'doctype') {
      if (byte === squareOpen) reader.skipped = 'doctype subset'
    } else if (byte > 0x20) reader.skipped = byte === squareClose ? 'doctype end' : 'doctype subset'
  }
  return bytes.length
}
