// A small XML reader for the parts of office files. It builds a tree and nothing else: document types are skipped, so entities
// are never defined and external URLs are never opened.
import type { Take } from '../converting.ts'
import { refuse } from '../refuse.ts'
import { prefixOf } from './names.ts'
import type { XmlElement } from './tree.ts'
import { unescapeXml } from './entities.ts'

interface Scope {
  /** Our prefixes by the prefixes of the file. */
  readonly prefixes: ReadonlyMap<string, string>
  readonly names: Map<string, string>
}

interface Open {
  readonly element: XmlElement
  readonly raw: string
  readonly scope: Scope
}

/** Limits for reading a part. */
export interface XmlBounds {
  readonly depth: number
  /** Called for each element before it is added. If it returns `false`, the rest of the part is not read. */
  readonly take?: Take | undefined
}

/**
 * Reads a part. Malformed XML is read as far as possible; returns `undefined` if there is no element. Throws
 * `page_too_complex` if elements are nested more than `depth` levels deep.
 */
export function readXml(text: string, bounds: XmlBounds): XmlElement | undefined {
  const root: XmlElement = { name: '#root', attributes: {}, children: [] }
  const open: Open[] = [{ element: root, raw: '', scope: { prefixes: new Map(), names: new Map() } }]
  let at = 0
  while (at < text.length) {
    const start = text.indexOf('<', at)
    const end = start < 0 ? text.length : start
    const top = open[open.length - 1] as Open
    if (end > at && open.length > 1) top.element.children.push(unescapeXml(text.slice(at, end)))
    if (start < 0) break
    at = readMarkup(text, start, open, bounds)
  }
  return root.children.find((child) => typeof child !== 'string')
}

function readMarkup(text: string, start: number, open: Open[], { depth, take }: XmlBounds): number {
  const sign = text[start + 1]
  if (sign === '!') return readDeclaration(text, start, open)
  if (sign === '?') return past(text, '?>', start + 2)
  const end = endOfTag(text, start + 1)
  if (sign === '/') {
    close(open, text.slice(start + 2, end - 1).trim())
    return end
  }
  const isEmpty = text[end - 2] === '/'
  if (!begin(open, text.slice(start + 1, isEmpty ? end - 2 : end - 1), isEmpty, take)) return text.length
  if (open.length <= depth + 1) return end
  throw refuse('too-complex', `The file nests elements more than ${depth} levels deep, so it is not read.`, {
    limit: depth,
  })
}

function readDeclaration(text: string, start: number, open: Open[]): number {
  if (text.startsWith('<!--', start)) return past(text, '-->', start + 4)
  if (text.startsWith('<![CDATA[', start)) {
    const end = past(text, ']]>', start + 9)
    const top = open[open.length - 1] as Open
    top.element.children.push(text.slice(start + 9, text.endsWith(']]>', end) ? end - 3 : end))
    return end
  }
  return endOfDoctype(text, start)
}

/** Finds the end of a document type, which may contain declarations in brackets with quoted strings. */
function endOfDoctype(text: string, start: number): number {
  const sign = /["'[\]>]/g
  sign.lastIndex = start
  let isInside = false
  for (let match = sign.exec(text); match; match = sign.exec(text)) {
    const [found] = match
    if (found === '[') isInside = true
    else if (found === ']') isInside = false
    else if (found === '>') {
      if (!isInside) return sign.lastIndex
    } else sign.lastIndex = past(text, found, sign.lastIndex)
  }
  return text.length
}

function past(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at + mark.length
}

/** Finds the end of a tag; attribute values may contain `>`. */
function endOfTag(text: string, from: number): number {
  let at = text.indexOf('>', from)
  for (let scan = from; at >= 0;) {
    const quote = nextQuote(text, scan, at)
    if (quote < 0) return at + 1
    scan = past(text, text[quote] as string, quote + 1)
    if (scan > at) at = text.indexOf('>', scan)
  }
  return text.length + 1
}

function nextQuote(text: string, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === 34 || code === 39) return at
  }
  return -1
}

// An object of `Object.create(null)` is several times as large as an instance of a function; neither inherits anything, so any
// attribute name is safe.
// Cast: TypeScript allows `new` only for classes, and a class would inherit.
const Attributes = function () {} as unknown as new () => Record<string, string>
Attributes.prototype = Object.freeze(Object.create(null))

// Most elements have no attributes.
const noAttributes: Record<string, string> = Object.freeze(new Attributes())

// Each attribute beyond this number counts as an element.
const freeAttributes = 50

function begin(open: Open[], tag: string, isEmpty: boolean, take: XmlBounds['take']): boolean {
  const parent = open[open.length - 1] as Open
  const nameEnd = tag.search(/\s/)
  const raw = nameEnd < 0 ? tag : tag.slice(0, nameEnd)
  const own = nameEnd < 0 ? [] : readAttributes(tag, nameEnd)
  const scope = own.some(([name]) => name.startsWith('xmlns')) ? widened(parent.scope, own) : parent.scope
  const name = ourName(raw, scope)
  if (take && !take(name, 1 + Math.max(0, own.length - freeAttributes))) return false
  const attributes: Record<string, string> = own.length === 0 ? noAttributes : new Attributes()
  for (const [key, value] of own) attributes[key.includes(':') ? ourName(key, scope) : key] = value
  const element: XmlElement = { name, attributes, children: [] }
  parent.element.children.push(element)
  if (!isEmpty) open.push({ element, raw, scope })
  return true
}

// A name begins after white space or a value. Otherwise each part of a long name would be tried as a name.
const attribute = /(?<![^\s"'])([^\s="']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

function readAttributes(tag: string, from: number): [name: string, value: string][] {
  attribute.lastIndex = from
  const found: [string, string][] = []
  for (let match = attribute.exec(tag); match; match = attribute.exec(tag)) {
    found.push([match[1] as string, unescapeXml(match[2] ?? match[3] ?? '')])
  }
  return found
}

function widened(scope: Scope, attributes: readonly (readonly [string, string])[]): Scope {
  const prefixes = new Map(scope.prefixes)
  for (const [name, value] of attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
    const theirs = name.slice(6)
    prefixes.set(theirs, prefixOf(value) ?? theirs)
  }
  return { prefixes, names: new Map() }
}

function ourName(raw: string, scope: Scope): string {
  const known = scope.names.get(raw)
  if (known !== undefined) return known
  const colon = raw.indexOf(':')
  const theirs = colon < 0 ? '' : raw.slice(0, colon)
  const prefix = scope.prefixes.get(theirs) ?? theirs
  const local = raw.slice(colon + 1)
  const name = prefix === '' ? local : `${prefix}:${local}`
  scope.names.set(raw, name)
  return name
}

/** Closes an element. End tags without a start tag are skipped; the end tag of an outer element closes those inside it. */
function close(open: Open[], raw: string): void {
  for (let i = open.length - 1; i > 0; i--) {
    if (open[i]?.raw !== raw) continue
    open.length = i
    return
  }
}
