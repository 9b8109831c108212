import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { currentFlags, makeBuilder, type Builder } from './construction/builder.ts'
import { isForeignContent } from './construction/foreign.ts'
import { endTag, startTag, text } from './construction/modes.ts'
import { makeSpan, type Span } from './construction/span.ts'
import { tagOf, type Tag } from './construction/tag-table.ts'
import { makeAttributes, type Element } from './tree.ts'

export interface ParsedPage {
  /** The `#document` element. It holds one `html`, which always holds one `head` and one `body`. */
  readonly root: Element
  readonly html: Element
  readonly head: Element
  readonly body: Element
  /** One sentence for each limit that was met. */
  readonly warnings: readonly string[]
}

export interface ParseLimits {
  /** Elements deeper than this become siblings of the one at the limit. */
  readonly depth: number
  /** Elements and texts of a page; what follows is not read. */
  readonly nodes: number
  /** Attributes of one element; more are dropped. */
  readonly attributes: number
}

const defaultLimits: ParseLimits = { depth: 400, nodes: 1_000_000, attributes: 1_000 }

/** Reads a page into our tree the way a browser would: any text is a page. Time grows with the length only. */
export function parseHtml(source: string, limits: Partial<ParseLimits> = {}): ParsedPage {
  const { depth, nodes, attributes } = { ...defaultLimits, ...limits }
  const builder = makeBuilder(depth)
  const warnings: string[] = []
  const html = normalise(source)
  const reader = readAttributes(html, attributes)
  const tokens = readTokens(html, builder, reader, () => {
    if (builder.nodes > nodes) tokenizer.pause()
  })
  const tokenizer = new Tokenizer({}, tokens)
  tokenizer.write(html)
  if (tokenizer.running) tokenizer.end()
  else warnings.push(`The page has more than ${nodes} elements and texts; the rest was not read.`)
  if (builder.flattenedOnce) warnings.push(`The page nests deeper than ${depth} elements; deeper ones were flattened.`)
  if (reader.isDropping()) warnings.push(`An element has more than ${attributes} attributes; the rest was dropped.`)
  const { root, html: htmlElement, head, body } = builder
  return { root, html: htmlElement, head, body, warnings }
}

// What the standard does to the stream before it is read.
function normalise(source: string): string {
  const html = source.startsWith('\uFEFF') ? source.slice(1) : source
  return html.includes('\r') ? html.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : html
}

// Spares a new string for the names that nearly all attributes have.
const commonNames = new Map(
  (
    'alt aria-controls aria-expanded aria-hidden aria-label charset class colspan content crossorigin d data-id data-src ' +
    'data-srcset datetime decoding dir fill for height href hreflang id itemprop itemscope itemtype lang loading media ' +
    'method name onclick placeholder property rel role rowspan sizes src srcset style tabindex target title type value ' +
    'viewbox width xmlns'
  )
    .split(' ')
    .map((name) => [name, name] as const),
)

const insideScript = /<script[\s/>]/i

/** In `<!-- <script>` of a script, the next `</script>` closes the inner one only. */
function isInnerScriptEnd(script: string): boolean {
  const comment = script.lastIndexOf('<!--')
  return comment >= 0 && !script.includes('-->', comment) && insideScript.test(script.slice(comment))
}

/** Follows scripts that hold scripts in comments. While one goes on, every token is its text. */
function watchScripts(html: string, content: Span) {
  let start = 0
  let resumes = -1
  return {
    goesOn: (): boolean => resumes >= 0,
    begins: (at: number): void => {
      start = at
    },
    /** True when the end tag, whose name stands at `at`, is text of the script. */
    swallows: (name: string, at: number): boolean => {
      if (name !== 'script') return resumes >= 0
      if (resumes >= 0) {
        content.add(resumes, at - 2)
        resumes = -1
      } else if (isInnerScriptEnd(html.slice(start, at - 2))) resumes = at - 2
      return resumes >= 0
    },
    ends: (): void => {
      if (resumes >= 0) content.add(resumes, html.length)
    },
  }
}

/** Collects the attributes of the tag being read. */
function readAttributes(html: string, most: number) {
  const value = makeSpan(html)
  let attributes: Record<string, string> | undefined
  let count = 0
  let name = ''
  let dropped = false
  return {
    isDropping: (): boolean => dropped,
    begin: (): void => {
      attributes = undefined
      count = 0
    },
    take: (): Record<string, string> | undefined => attributes,
    tokens: {
      onattribname: (start: number, end: number): void => {
        const written = html.slice(start, end)
        name = commonNames.get(written) ?? written.toLowerCase()
      },
      onattribdata: value.add,
      onattribentity: value.addCodePoint,
      onattribend: (): void => {
        const found = value.take()
        attributes ??= makeAttributes()
        if (name in attributes) return
        if (++count > most) dropped = true
        else attributes[name] = found
      },
    },
  }
}

type AttributeReader = ReturnType<typeof readAttributes>

const silent = { oncomment: () => undefined, onprocessinginstruction: () => undefined }

function readTokens(html: string, builder: Builder, reader: AttributeReader, afterTag: () => void): TokenizerCallbacks {
  const content = makeSpan(html)
  const script = watchScripts(html, content)
  let tag: Tag

  const flushText = (): void => {
    let found = content.take()
    if (builder.skipNewline) {
      builder.skipNewline = false
      if (found.startsWith('\n')) found = found.slice(1)
    }
    // Browsers drop it.
    if (found.includes('\0')) found = found.replaceAll('\0', '')
    if (found !== '') text(builder, found)
  }
  const finishTag = (end: number, selfClosing: boolean): void => {
    if (script.goesOn()) return
    startTag(builder, { tag, attributes: reader.take(), selfClosing })
    if (tag.name === 'script') script.begins(end + 1)
    afterTag()
  }
  const isForeign = (): boolean => isForeignContent(currentFlags(builder))
  return {
    ...reader.tokens,
    ...silent,
    ontext: (start, end) => {
      if (!script.goesOn()) content.add(start, end)
    },
    ontextentity: (codePoint) => {
      if (!script.goesOn()) content.addCodePoint(codePoint)
    },
    oncdata: (start, end, offset) => {
      if (isForeign()) content.add(start, end - offset)
    },
    onopentagname: (start, end) => {
      if (script.goesOn()) return
      flushText()
      tag = tagOf(html.slice(start, end))
      reader.begin()
    },
    onopentagend: (end) => finishTag(end, false),
    onselfclosingtag: (end) => finishTag(end, true),
    onclosetag: (start, end) => {
      const closed = tagOf(html.slice(start, end))
      if (script.swallows(closed.name, start)) return
      flushText()
      endTag(builder, closed)
      afterTag()
    },
    ondeclaration: (start, end) => {
      if (builder.nodes === 4) builder.quirks = isQuirky(html.slice(start, Math.min(end, start + 300)))
    },
    onend: () => {
      script.ends()
      flushText()
    },
    isInForeignContext: isForeign,
  }
}

const oldDoctype =
  /\/\/DTD (?:HTML (?:2|3|4\.0 (?:Transitional|Frameset)|[34]\.0 |Level|Strict)|W3 HTML)|^doctype html public "html"/i
const openDoctype = /\/\/DTD HTML 4\.01 (?:Transitional|Frameset)/i

/** In pages of the old kind a table does not close the paragraph around it. */
function isQuirky(doctype: string): boolean {
  if (!/^doctype\s+html(?:\s|$)/i.test(doctype)) return true
  return oldDoctype.test(doctype) || (openDoctype.test(doctype) && !doctype.includes('http'))
}
