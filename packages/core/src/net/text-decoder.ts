/** Turns the bytes of one encoding into text. */
export interface Decoder {
  /** The name by the standard, in lower case. */
  readonly encoding: string
  decode(bytes: Uint8Array): string
}

// What stands at 0x80 and after. The oldest Node that is supported decodes the one wrongly and the other not at all.
const tables: Readonly<Record<string, string>> = {
  'windows-1252': '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ',
  'iso-8859-16':
    '\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f\x90\x91\x92\x93\x94\x95\x96\x97\x98\x99\x9a\x9b\x9c\x9d\x9e\x9f\xa0ĄąŁ€„Š§š©Ș«Ź­źŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ',
}

const utf8: Decoder = new TextDecoder()

/** Gives nothing for a name that stands for no encoding, and for those that no browser decodes any more. */
export function decoderFor(label: string): Decoder | undefined {
  const name = label.trim().toLowerCase()
  if (name === 'utf-8' || name === 'utf8') return utf8
  try {
    const encoding = Object.hasOwn(tables, name) ? name : new TextDecoder(name).encoding
    const table = tables[encoding]
    return table === undefined ? new TextDecoder(name) : { encoding, decode: (bytes) => decodeBy(table, bytes) }
  } catch {
    return undefined
  }
}

function decodeBy(table: string, bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const last = String.fromCharCode(0x7f + table.length)
  const known = new RegExp(`[\\x80-${last}]`, 'g')
  return text.replace(known, (letter) => table[letter.charCodeAt(0) - 0x80]!)
}
