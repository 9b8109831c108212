import type * as chardet from 'chardet'

import { lateLibrary } from '@harvestman/toolbox/late-library'
import { likeliestAlphabet } from './letters.ts'
import { isTextIn } from './text-decoder.ts'

const library = lateLibrary(import.meta.url, (require) => require('chardet') as typeof chardet)

// Minimum confidence. Below it the detector is often wrong.
const enoughConfidence = 80
const sampleBytes = 32_768

// Multi-byte encodings, which leave a recognizable pattern.
const wideCharsets: ReadonlySet<string> = new Set(['shift_jis', 'euc-jp', 'euc-kr', 'gb18030', 'big5'])

// Encodings used before UTF-8 for pages in these languages, most common first.
const byLanguage: Readonly<Record<string, readonly string[]>> = {
  ja: ['shift_jis', 'euc-jp'],
  ko: ['euc-kr'],
  vi: ['windows-1258'],
  zh: ['gb18030', 'big5'],
}

/** Guesses the encoding of bytes without a declaration that are not UTF-8. Returns `undefined` if it is unclear. */
export function detectCharset(bytes: Uint8Array): string | undefined {
  const text = withoutMarkup(bytes)
  const best = library()
    .analyse(text)
    .find(({ name }) => wideCharsets.has(name.toLowerCase()) && isTextIn(name, text))
  if (best && best.confidence >= enoughConfidence) return best.name.toLowerCase()
  const language = languageOf(bytes)
  return byLanguage[language]?.find((label) => isTextIn(label, text)) ?? likeliestAlphabet(text, language)
}

/** Removes tags: they contain only ASCII and would distort the statistics. */
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
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 2_048)).toString('latin1')
  return /<html[^>]{0,500}?\slang\s*=\s*["']?([a-z]{2,3})\b/i.exec(head)?.[1]?.toLowerCase() ?? ''
}
