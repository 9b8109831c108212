import { parseJson } from '@harvestman/toolbox/parse-json'
import { cfbTypeOf, zipTypeOf } from './archives.ts'
import { essenceOf, parameterOf } from '../media-type.ts'
import { signatureOf } from './signatures.ts'

/** The media type found for a body. */
export interface SniffedType {
  /** Lower case, without parameters. */
  readonly type: string
  readonly charset?: string
}

/** Types of text files that the caller knows in addition. */
export interface TextTypes {
  /** Media types by extension, in lower case and without a dot. They precede the known ones. */
  readonly byExtension: ReadonlyMap<string, string>
  /** Media types by the first characters of a text. */
  readonly byStart: readonly (readonly [start: string, type: string])[]
}

const noTypes: TextTypes = { byExtension: new Map(), byStart: [] }

// Types that hosts send if they do not know the type.
const unknown: ReadonlySet<string> = new Set([
  'application/octet-stream',
  'binary/octet-stream',
  'application/binary',
  'application/x-download',
  'application/force-download',
  'application/unknown',
  'application/x-unknown',
  'unknown/unknown',
  'text/plain',
])

const byExtension: Readonly<Record<string, string>> = {
  atom: 'application/atom+xml',
  c: 'text/plain',
  cfg: 'text/plain',
  conf: 'text/plain',
  css: 'text/css',
  csv: 'text/csv',
  go: 'text/plain',
  htm: 'text/html',
  html: 'text/html',
  ini: 'text/plain',
  java: 'text/plain',
  js: 'text/javascript',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  jsonld: 'application/ld+json',
  log: 'text/plain',
  markdown: 'text/markdown',
  md: 'text/markdown',
  mjs: 'text/javascript',
  ndjson: 'application/x-ndjson',
  py: 'text/plain',
  rdf: 'application/rdf+xml',
  rs: 'text/plain',
  rss: 'application/rss+xml',
  rst: 'text/plain',
  sh: 'text/plain',
  svg: 'image/svg+xml',
  tex: 'text/plain',
  toml: 'text/plain',
  ts: 'text/plain',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  xhtml: 'application/xhtml+xml',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
}

const lookedAt = 1_024
// Parsing more than this just to find the type is not worth it.
const maxJsonBytes = 1_048_576

/**
 * Determines the media type of a body: by its signature if there is one, otherwise by the header, the extension in the URL, and
 * the content, in this order. Generic headers such as `application/octet-stream` and `text/plain` do not count, and the content
 * overrides a header that contradicts it. Never fails: unknown text is `text/plain`, unknown bytes are
 * `application/octet-stream`. `charset` is that of the header, if any.
 */
export function sniffType(
  bytes: Uint8Array,
  contentType: string | undefined,
  url: string,
  known: TextTypes = noTypes,
): SniffedType {
  const charset = parameterOf(contentType, 'charset')?.toLowerCase()
  const type = typeOf(bytes, essenceOf(contentType), url, known)
  return charset === undefined ? { type } : { type, charset }
}

function typeOf(bytes: Uint8Array, header: string | undefined, url: string, known: TextTypes): string {
  const text = headText(bytes)
  const binary = binaryType(bytes, header)
  if (binary) return binary
  const extension = extensionOf(url)
  const own = known.byExtension.get(extension)
  if (header !== undefined && !unknown.has(header)) {
    const type = checkedHeader(header, text, bytes)
    return isFiner(own, type) ? own : type
  }
  const isText = text !== undefined
  const named = own ?? byExtension[extension] ?? (isText ? startOf(text, known) : undefined)
  // The extension decides first, so HTML source in a `.txt` file is text. Without a known extension the content decides.
  // A parser that lists the extension also decides about bytes that are hardly text, such as those of a mail with a control character.
  if (named !== undefined && (isText || own !== undefined)) return named
  if (isText) return lookOf(text, bytes) ?? 'text/plain'
  return header === undefined || header === 'text/plain' ? 'application/octet-stream' : header
}

/** Returns whether a type is a variant of the other one, such as `application/x-ipynb+json` of `application/json`. */
function isFiner(type: string | undefined, than: string): type is string {
  return type !== undefined && /^application\/(?:json|xml)$/.test(than) && type.endsWith(`+${than.slice(12)}`)
}

function startOf(text: string, { byStart }: TextTypes): string | undefined {
  const start = text.replace(/^\ufeff/, '').trimStart()
  return byStart.find(([begin]) => start.startsWith(begin))?.[1]
}

/** Returns the type by signature, unless the header names a more specific variant of it. */
function binaryType(bytes: Uint8Array, header: string | undefined): string | undefined {
  const type = signatureOf(bytes)
  if (type === 'application/zip') return finer(zipTypeOf(bytes), type, header)
  if (type === 'application/x-cfb') return finer(cfbTypeOf(bytes), type, header)
  if (type === 'application/ogg' || type === 'video/webm' || type === 'video/mp4') {
    return header && /^(?:audio|video)\//.test(header) ? header : type
  }
  return type ?? latePdf(bytes, header)
}

function finer(found: string, plain: string, header: string | undefined): string {
  if (found !== plain) return found
  return header?.startsWith('application/vnd.') || header === 'application/epub+zip' ? header : found
}

/** Detects PDFs that begin later, within the first kilobyte. Text that only mentions `%PDF-` contains no objects. */
function latePdf(bytes: Uint8Array, header: string | undefined): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 2 * lookedAt)).toString('latin1')
  const at = head.indexOf('%PDF-')
  if (at < 0 || at >= lookedAt) return undefined
  const isPdf = header === 'application/pdf' || /^%PDF-\d\.\d\s*[\r\n][^]*\d \d+ obj\b/.test(head.slice(at))
  return isPdf ? 'application/pdf' : undefined
}

/** Corrects a header: hosts send error pages with the type of a file, and JSON with the type of a page. */
function checkedHeader(header: string, text: string | undefined, bytes: Uint8Array): string {
  if (text === undefined) return header
  const isFile = /^(?:image|audio|video|font)\/(?!svg)|^application\/(?:pdf|zip|msword|vnd\.)/.test(header)
  if (isFile) return lookOf(text, bytes) ?? header
  if (header === 'text/html' && isJson(text, bytes)) return 'application/json'
  if (header === 'application/xml' || header === 'text/xml') {
    const root = rootOf(text)
    return root === 'html' ? 'application/xhtml+xml' : root === 'svg' ? 'image/svg+xml' : header
  }
  return header
}

function lookOf(text: string, bytes: Uint8Array): string | undefined {
  if (looksLikeHtml(text)) return 'text/html'
  if (/^\s*<\?xml\b/i.test(text) || /^\s*<(?:svg|rss|feed|urlset|sitemapindex)\b/.test(text)) return xmlType(text)
  return isJson(text, bytes) ? 'application/json' : undefined
}

function xmlType(text: string): string {
  const root = rootOf(text)
  if (root === 'svg') return 'image/svg+xml'
  if (root === 'html') return 'application/xhtml+xml'
  if (root === 'rss') return 'application/rss+xml'
  return root === 'feed' ? 'application/atom+xml' : 'application/xml'
}

function rootOf(text: string): string | undefined {
  return /<([a-z][\w:.-]*)/i.exec(text.replace(/<!--[^]*?(?:-->|$)/g, ''))?.[1]?.toLowerCase()
}

// After whitespace and comments, as in browsers, and including tags that fragments begin with.
const htmlStart =
  /^(?:\s|<!--(?:(?!-->)[^])*-->)*<(?:!doctype\s+html|html|head|body|title|meta|script|style|link|base|iframe|table|div|h[1-6]|p|br|b|a|font|ul|ol|main|article|section|nav|header)(?=[\s/>])/i

function looksLikeHtml(text: string): boolean {
  return htmlStart.test(text)
}

function isJson(text: string, bytes: Uint8Array): boolean {
  if (!/^\s*[[{]/.test(text) || bytes.length > maxJsonBytes) return false
  return parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')) !== undefined
}

/**
 * Returns the beginning as a string, or `undefined` if it is binary. Non-ASCII characters may be wrong, which does not matter
 * here.
 */
function headText(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes
  const head = bytes.subarray(0, lookedAt)
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(head)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(head)
  const isMarked = first === 0xef && second === 0xbb && third === 0xbf
  const text = Buffer.from(isMarked ? head.subarray(3) : head).toString('latin1')
  // Bytes that never occur in text (mimesniff.spec.whatwg.org, "binary data byte").
  return /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text
}

function extensionOf(url: string): string {
  const path = URL.parse(url)?.pathname ?? ''
  return /\.([a-z\d]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? ''
}
