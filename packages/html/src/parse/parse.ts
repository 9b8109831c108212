import { Slices } from '../tree/slices.ts'
import { currentFlags, current, makeBuilder, type Builder } from '../construction/builder.ts'
import { isForeignContent } from '../construction/foreign.ts'
import { endTag, startTag, text } from '../construction/modes.ts'
import { FOREIGN, RAW, tagAt, type Tag } from '../construction/tag-table.ts'
import { readTokens, type TokenMode, type TokenSink } from '../tokens/read-tokens.ts'
import { makeAttributes, type Element } from '../tree/tree.ts'
import type { HiddenMarks, Marked } from '../tree/hidden-marks.ts'

export interface ParsedPage {
  /** The `#document` element. It has one `html` element, which always has one `head` and one `body`. */
  readonly root: Element
  readonly html: Element
  readonly head: Element
  readonly body: Element
  /** Whether the page has such elements, so that searches for them can be skipped on most pages. */
  readonly has: { readonly frames: boolean; readonly templates: boolean; readonly noscript: boolean }
  /** One sentence per limit that was exceeded. */
  readonly warnings: readonly string[]
  /** How a browser hides elements, by their attributes. Absent without marks, or if the marks do not fit the source. */
  readonly marked?: Marked | undefined
}

export interface ParseLimits {
  /** Maximum depth. Deeper elements become siblings of the one at the limit. */
  readonly depth: number
  /** Maximum number of elements and text nodes. The rest of the page is ignored. */
  readonly nodes: number
  /** Maximum number of attributes per element. Further ones are dropped. */
  readonly attributes: number
}

const defaultLimits: ParseLimits = { depth: 400, nodes: 1_000_000, attributes: 1_000 }

/**
 * Parses HTML like a browser, in linear time. Accepts any string and never throws. By default, content after a million
 * elements and texts is omitted, and elements deeper than 400 are flattened, with a warning. `marks` has the elements that a
 * browser does not show.
 */
export function parseHtml(source: string, limits: Partial<ParseLimits> = {}, marks?: HiddenMarks): ParsedPage {
  const { depth, nodes, attributes } = { ...defaultLimits, ...limits }
  const builder = makeBuilder(depth)
  const warnings: string[] = []
  const html = normalise(source)
  const plain = sinkOf(builder, nodes, html.includes('\0'))
  const marking = marks && html === source ? markStartTags(plain, marks) : undefined
  const hasDropped = readTokens(html, marking?.sink ?? plain, attributes)
  if (builder.nodes > nodes) {
    warnings.push(`The page has more than ${nodes} elements and texts; the rest was not read.`)
  }
  if (builder.flattenedOnce) warnings.push(`The page nests deeper than ${depth} elements; deeper ones were flattened.`)
  if (hasDropped) warnings.push(`An element has more than ${attributes} attributes; the rest was dropped.`)
  const { root, html: htmlElement, head, body } = builder
  const has = { frames: builder.hasFrames, templates: builder.hasTemplates, noscript: builder.hasNoscript }
  return { root, html: htmlElement, head, body, has, warnings, marked: marking?.take() }
}

// Normalizes the input as the standard requires: no byte order mark, and line feeds only.
function normalise(source: string): string {
  const html = source.startsWith('\uFEFF') ? source.slice(1) : source
  return html.includes('\r') ? withLineFeeds(html) : html
}

const lineFeed = 10

function withLineFeeds(text: string): string {
  const slices = new Slices()
  let from = 0
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', from)) {
    slices.add(text.slice(from, at))
    slices.add('\n')
    from = at + (text.charCodeAt(at + 1) === lineFeed ? 2 : 1)
  }
  slices.add(text.slice(from))
  return slices.join()
}

/** Builds the tree from tokens. */
function sinkOf(builder: Builder, nodes: number, hasNul: boolean): TokenSink<Tag> {
  return {
    nameAt: tagAt,
    text: (written) => {
      let found = written
      if (builder.skipNewline) {
        builder.skipNewline = false
        if (found.startsWith('\n')) found = found.slice(1)
      }
      // Browsers drop NUL characters.
      if (hasNul) found = found.replaceAll('\0', '')
      if (found !== '') text(builder, found)
    },
    startTag: (tag, { attributes, selfClosing }) => {
      builder.skipNewline = false
      if (tag.name === 'iframe' || tag.name === 'frame') builder.hasFrames = true
      else if (tag.kind === 'template') builder.hasTemplates = true
      else if (tag.kind === 'noscript') builder.hasNoscript = true
      startTag(builder, { tag, attributes, selfClosing })
      return readingAfter(builder, tag.name)
    },
    endTag: (tag) => {
      builder.skipNewline = false
      endTag(builder, tag)
    },
    doctype: (written) => {
      if (builder.nodes === 4) builder.quirks = isQuirky(written.slice(0, 300))
    },
    isForeign: () => isForeignContent(currentFlags(builder)),
    goesOn: () => builder.nodes <= nodes,
  }
}

/** Looks up each start tag in the marks. `take` returns them by attributes, or `undefined` if one fits no start tag. */
function markStartTags(sink: TokenSink<Tag>, marks: HiddenMarks): { sink: TokenSink<Tag>; take(): Marked | undefined } {
  const marked: Marked = new Map()
  let at = 0
  let isExact = true
  const startTag: TokenSink<Tag>['startTag'] = (tag, inside) => {
    const [end, how] = marks[at] ?? none
    if (inside.end < end) return sink.startTag(tag, inside)
    at++
    isExact &&= inside.end === end
    inside.attributes ??= makeAttributes()
    marked.set(inside.attributes, how)
    return sink.startTag(tag, inside)
  }
  return { sink: { ...sink, startTag }, take: () => (isExact && at === marks.length ? marked : undefined) }
}

const none = [Infinity, ''] as const

const withEntities = new Set(['title', 'textarea'])

/**
 * Returns how to tokenize the content of the element just opened. Depends on its flags, not only its name, as SVG has
 * titles too.
 */
function readingAfter(builder: Builder, name: string): TokenMode {
  const flags = currentFlags(builder)
  if ((flags & RAW) !== 0 && current(builder).name === name) {
    return withEntities.has(name) ? 'raw text with entities' : 'raw text'
  }
  const isPlain = name === 'plaintext' && (flags & FOREIGN) === 0 && current(builder).name === name
  return isPlain ? 'plain text' : 'page'
}

const oldDoctype =
  /\/\/DTD (?:HTML (?:2|3|4\.0 (?:Transitional|Frameset)|[34]\.0 |Level|Strict)|W3 HTML)|^doctype html public "html"/i
const openDoctype = /\/\/DTD HTML 4\.01 (?:Transitional|Frameset)/i

/** Returns whether the doctype selects quirks mode, in which a table does not close the paragraph around it. */
function isQuirky(doctype: string): boolean {
  if (!/^doctype\s+html(?:\s|$)/i.test(doctype)) return true
  return oldDoctype.test(doctype) || (openDoctype.test(doctype) && !doctype.includes('http'))
}
