// Decodes bytes by the code page of the document or of the font.

const byCodePage: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  1250: 'windows-1250',
  1251: 'windows-1251',
  1252: 'windows-1252',
  1253: 'windows-1253',
  1254: 'windows-1254',
  1255: 'windows-1255',
  1256: 'windows-1256',
  1257: 'windows-1257',
  1258: 'windows-1258',
  1361: 'euc-kr',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  65001: 'utf-8',
}

/** Code pages of font character sets, by their number in the font table. */
const byCharset: Readonly<Record<number, number>> = {
  0: 1252,
  77: 10000,
  128: 932,
  129: 949,
  130: 1361,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
}

/** Returns the code page of an RTF character set number, or `undefined` if it is unknown. */
export function codePageOfCharset(charset: number): number | undefined {
  return byCharset[charset]
}

const decoders = new Map<string, InstanceType<typeof TextDecoder>>()

/** Decodes bytes, given as one character each. Unknown code pages are read as Windows-1252. */
export function decodeBytes(bytes: string, codePage: number): string {
  if (/^[\0-\x7f]*$/.test(bytes)) return bytes
  const label = byCodePage[codePage] ?? 'windows-1252'
  const decoder = decoders.get(label) ?? new TextDecoder(label)
  decoders.set(label, decoder)
  return decoder.decode(Buffer.from(bytes, 'latin1'))
}
