// Decompresses the RTF of Outlook's mails ([MS-OXRTFCP]).
import { damaged } from '../refuse.ts'

// The dictionary begins with this text.
const initial =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx'
const dictionarySize = 4_096
const compressedMark = 0x75465a4c
const plainMark = 0x414c454d
const headSize = 16

/** Decompresses RTF, at most `most` bytes. Throws `unsupported_file` if the bytes are no compressed RTF. */
export function decompressRtf(bytes: Buffer, most: number): Uint8Array {
  if (bytes.length < headSize) throw damaged('its text is cut off')
  const mark = bytes.readUInt32LE(8)
  const size = Math.min(bytes.readUInt32LE(4), most)
  if (mark === plainMark) return bytes.subarray(headSize, headSize + size)
  if (mark !== compressedMark) throw damaged('its text is compressed in an unknown way')
  const dictionary = Buffer.alloc(dictionarySize, ' ')
  dictionary.write(initial, 'latin1')
  let write = initial.length
  const out: number[] = []
  const put = (byte: number): void => {
    out.push(byte)
    dictionary[write] = byte
    write = (write + 1) % dictionarySize
  }
  for (let at = headSize; at < bytes.length && out.length < size;) {
    const control = bytes[at++] ?? 0
    for (let bit = 0; bit < 8 && at < bytes.length && out.length < size; bit += 1) {
      if ((control & (1 << bit)) === 0) {
        put(bytes[at++] ?? 0)
        continue
      }
      if (at + 2 > bytes.length) break
      const token = bytes.readUInt16BE(at)
      at += 2
      const offset = token >> 4
      if (offset === write) return Uint8Array.from(out)
      const length = (token & 0xf) + 2
      for (let index = 0; index < length; index += 1) put(dictionary[(offset + index) % dictionarySize] ?? 0)
    }
  }
  return Uint8Array.from(out)
}
