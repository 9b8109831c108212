// Text files in other files. The engine itself reads those that are not.
import { extensionOf } from './kinds.ts'
import { markdownHtml } from './html/markdown.ts'
import { plainHtml } from './html/plain.ts'
import { pageHtml } from './html/page.ts'
import { delimitedHtml } from './html/delimited.ts'
import { escapeText } from './xml/entities.ts'

const code = (text: string): string => `<pre><code>${escapeText(text)}</code></pre>`

type Write = (text: string, warn: (message: string) => void) => string

const writers: Readonly<Record<string, Write>> = {
  csv: (text) => delimitedHtml(text),
  htm: pageHtml,
  html: pageHtml,
  json: code,
  markdown: markdownHtml,
  md: markdownHtml,
  tsv: (text) => delimitedHtml(text, '\t'),
  txt: plainHtml,
  xhtml: pageHtml,
  xml: code,
  yaml: code,
  yml: code,
}

function writerOf(name: string): Write | undefined {
  const extension = extensionOf(name)
  return Object.hasOwn(writers, extension) ? writers[extension] : undefined
}

/** Returns whether files with such a name are text that is read here. */
export function isTextName(name: string): boolean {
  return writerOf(name) !== undefined
}

/** Returns the content of a text file as HTML. Empty for another file. */
export function readText(name: string, bytes: Uint8Array, warn: (message: string) => void): string {
  return writerOf(name)?.(decodeText(bytes), warn) ?? ''
}

/** Decodes text: by its byte order mark, as UTF-8 if it is valid, and otherwise as Windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
