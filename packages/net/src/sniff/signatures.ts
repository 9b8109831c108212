/** The first bytes of a type. Only sequences that text does not begin with by chance. */
interface Signature {
  readonly type: string
  readonly at?: number
  /** Hexadecimal; `..` is any byte. */
  readonly bytes: string
}

// The first match counts, so longer signatures precede their own prefixes.
const signatures: readonly Signature[] = [
  { type: 'application/pdf', bytes: '255044462d' },
  { type: 'application/rtf', bytes: '7b5c727466' },
  { type: 'application/postscript', bytes: '25215053' },
  { type: 'image/png', bytes: '89504e470d0a1a0a' },
  { type: 'image/jpeg', bytes: 'ffd8ff' },
  { type: 'image/gif', bytes: '47494638..61' },
  { type: 'image/webp', bytes: '52494646........57454250' },
  { type: 'image/tiff', bytes: '49492a00' },
  { type: 'image/tiff', bytes: '4d4d002a' },
  { type: 'image/jxl', bytes: '0000000c4a584c200d0a870a' },
  { type: 'image/x-icon', bytes: '00000100..00' },
  { type: 'image/vnd.adobe.photoshop', bytes: '384250530001' },
  { type: 'image/avif', at: 4, bytes: '6674797061766966' },
  { type: 'image/avif', at: 4, bytes: '6674797061766973' },
  { type: 'image/heic', at: 4, bytes: '6674797068656963' },
  { type: 'image/heic', at: 4, bytes: '6674797068656978' },
  { type: 'image/heif', at: 4, bytes: '667479706d696631' },
  { type: 'audio/mp4', at: 4, bytes: '667479704d344120' },
  { type: 'video/quicktime', at: 4, bytes: '6674797071742020' },
  { type: 'video/mp4', at: 4, bytes: '66747970' },
  { type: 'video/webm', bytes: '1a45dfa3' },
  { type: 'video/x-msvideo', bytes: '52494646........41564920' },
  { type: 'video/x-flv', bytes: '464c5601' },
  { type: 'video/mpeg', bytes: '000001ba' },
  { type: 'audio/wav', bytes: '52494646........57415645' },
  { type: 'audio/mpeg', bytes: '494433..00' },
  { type: 'audio/mpeg', bytes: 'fffb' },
  { type: 'audio/mpeg', bytes: 'fff3' },
  { type: 'audio/mpeg', bytes: 'fff2' },
  { type: 'audio/aac', bytes: 'fff1' },
  { type: 'audio/aac', bytes: 'fff9' },
  { type: 'audio/midi', bytes: '4d546864000000' },
  { type: 'application/ogg', bytes: '4f67675300' },
  { type: 'audio/flac', bytes: '664c6143' },
  { type: 'application/gzip', bytes: '1f8b08' },
  { type: 'application/zstd', bytes: '28b52ffd' },
  { type: 'application/x-7z-compressed', bytes: '377abcaf271c' },
  { type: 'application/vnd.rar', bytes: '526172211a07' },
  { type: 'application/x-xz', bytes: 'fd377a585a00' },
  { type: 'application/x-bzip2', bytes: '425a68..314159265359' },
  { type: 'application/wasm', bytes: '0061736d01000000' },
  { type: 'application/x-elf', bytes: '7f454c46' },
  { type: 'application/x-mach-binary', bytes: 'cffaedfe' },
  { type: 'application/java-vm', bytes: 'cafebabe0000' },
  { type: 'font/woff2', bytes: '774f4632' },
  { type: 'font/woff', bytes: '774f4646' },
  { type: 'font/otf', bytes: '4f54544f00' },
  { type: 'font/ttf', bytes: '0001000000' },
  { type: 'font/collection', bytes: '7474636600' },
  { type: 'application/vnd.sqlite3', bytes: '53514c69746520666f726d6174203300' },
  { type: 'application/x-cfb', bytes: 'd0cf11e0a1b11ae1' },
  { type: 'application/zip', bytes: '504b0304' },
  { type: 'application/zip', bytes: '504b0506' },
]

const lookedAt = 20
const tarMark = { at: 257, text: 'ustar' }

/** Returns the media type by the first bytes, or `undefined` if they are no known signature. */
export function signatureOf(bytes: Uint8Array): string | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const head = view.toString('hex', 0, lookedAt)
  const found = signatures.find(({ at = 0, bytes: pattern }) => matches(head, at * 2, pattern))
  return found?.type ?? bitmapOf(bytes) ?? programOf(bytes) ?? tapeOf(view)
}

function matches(hex: string, start: number, pattern: string): boolean {
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] !== '.' && pattern[at] !== hex[start + at]) return false
  }
  return true
}

// Two characters are not enough, because text may begin with BM or MZ.
function bitmapOf(bytes: Uint8Array): string | undefined {
  const isBitmap = bytes[0] === 0x42 && bytes[1] === 0x4d && bytes[15] === 0 && bytes[16] === 0 && bytes[17] === 0
  return isBitmap && [12, 40, 52, 56, 64, 108, 124].includes(bytes[14] ?? 0) ? 'image/bmp' : undefined
}

function programOf(bytes: Uint8Array): string | undefined {
  const isProgram = bytes[0] === 0x4d && bytes[1] === 0x5a && bytes.subarray(2, 64).includes(0)
  return isProgram ? 'application/vnd.microsoft.portable-executable' : undefined
}

function tapeOf(view: Buffer): string | undefined {
  const { at, text } = tarMark
  return view.toString('latin1', at, at + text.length) === text ? 'application/x-tar' : undefined
}
