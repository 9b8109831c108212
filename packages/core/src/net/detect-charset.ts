import { analyse } from 'chardet'

// The detector is often wrong below this.
const enoughConfidence = 80
const sampleBytes = 32_768

// What the web calls the encodings that the detector names otherwise. UTF-8 was tried before, and did not fit.
const labels: Readonly<Record<string, string>> = {
  'ISO-8859-1': 'windows-1252',
  'ISO-8859-9': 'windows-1254',
  'UTF-8': '',
  'UTF-16LE': '',
  'UTF-16BE': '',
  'UTF-32LE': '',
  'UTF-32BE': '',
  'ISO-2022-KR': '',
  'ISO-2022-CN': '',
  ASCII: '',
}

// What pages in a language were written in before UTF-8; where there are two, the commoner one first.
const byLanguage: Readonly<Record<string, readonly string[]>> = {
  ar: ['windows-1256'],
  be: ['windows-1251'],
  bg: ['windows-1251'],
  cs: ['windows-1250'],
  el: ['windows-1253'],
  et: ['windows-1257'],
  fa: ['windows-1256'],
  he: ['windows-1255'],
  hr: ['windows-1250'],
  hu: ['windows-1250'],
  ja: ['shift_jis', 'euc-jp'],
  ko: ['euc-kr'],
  lt: ['windows-1257'],
  lv: ['windows-1257'],
  mk: ['windows-1251'],
  pl: ['windows-1250'],
  ro: ['windows-1250'],
  ru: ['windows-1251', 'koi8-r'],
  sk: ['windows-1250'],
  sl: ['windows-1250'],
  sr: ['windows-1251'],
  th: ['windows-874'],
  tr: ['windows-1254'],
  uk: ['windows-1251', 'koi8-u'],
  vi: ['windows-1258'],
  zh: ['gb18030', 'big5'],
}

/** Guesses the encoding of bytes that say nothing and are not UTF-8. Gives nothing when it cannot tell. */
export function detectCharset(bytes: Uint8Array): string | undefined {
  const text = withoutMarkup(bytes)
  const best = analyse(text)
    .map(({ name, confidence }) => ({ label: labels[name] ?? name.toLowerCase(), confidence }))
    .find(({ label }) => label !== '' && fits(label, text))
  if (best && best.confidence >= enoughConfidence) return best.label
  return byLanguage[languageOf(bytes)]?.find((label) => fits(label, text))
}

/** Tags are all Latin and outvote the text. Gives what stands between them, as far as it holds other letters. */
function withoutMarkup(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(Math.min(bytes.length, sampleBytes))
  let size = 0
  let isTag = false
  for (let at = 0; at < bytes.length && size < sample.length; at += 1) {
    const byte = bytes[at]!
    if (byte === 0x3c && isTagStart(bytes[at + 1])) isTag = true
    if (!isTag) sample[size++] = byte
    if (byte === 0x3e) isTag = false
  }
  return sample.subarray(0, size)
}

function isTagStart(byte = 0): boolean {
  return byte === 0x21 || byte === 0x2f || byte === 0x3f || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a)
}

function languageOf(bytes: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2_048))
  return /<html[^>]{0,500}?\slang\s*=\s*["']?([a-z]{2,3})\b/i.exec(head)?.[1]?.toLowerCase() ?? ''
}

function fits(label: string, text: Uint8Array): boolean {
  try {
    // The sample may end within a character: what is given to a stream may.
    new TextDecoder(label, { fatal: true }).decode(text, { stream: true })
    return true
  } catch {
    return false
  }
}
