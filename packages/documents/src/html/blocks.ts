// Writes the HTML blocks of formats that are not a tree themselves. Core converts the HTML to Markdown.
import { escapeText, escapeValue } from '../xml/entities.ts'

export interface Item {
  readonly level: number
  readonly isOrdered: boolean
  readonly html: string
  /** The displayed number, if known. */
  readonly number?: number
}

interface List {
  readonly level: number
  readonly tag: 'ol' | 'ul'
  count: number
}

export interface Blocks {
  /** Adds an HTML block, which ends the list before it. */
  add(html: string): void
  item(item: Item): void
  /** Returns all blocks. */
  html(): string
}

/**
 * Creates a writer that joins blocks and list items to HTML. Their HTML must be escaped already. It opens and closes nested lists
 * as needed; an item that skips levels opens a single list.
 */
export function makeBlocks(): Blocks {
  const out: string[] = []
  const open: List[] = []
  const closeTo = (length: number): void => {
    while (open.length > length) out.push(`</li></${open.pop()?.tag}>`)
  }
  return {
    add: (html) => {
      if (html === '') return
      closeTo(0)
      out.push(html)
    },
    item: ({ level, isOrdered, html, number }) => {
      const tag = isOrdered ? 'ol' : 'ul'
      let depth = open.length
      while (depth > 0 && (open[depth - 1] as List).level > level) depth -= 1
      closeTo(depth)
      const top = open[depth - 1]
      if (top?.level === level && top.tag !== tag) closeTo(depth - 1)
      const list = open[open.length - 1]
      if (list?.level === level) out.push('</li>')
      else {
        open.push({ level, tag, count: 0 })
        out.push(`<${tag}>`)
      }
      const current = open[open.length - 1] as List
      current.count += 1
      const isRenumbered = isOrdered && number !== undefined && number !== current.count
      if (isRenumbered) current.count = number
      out.push(isRenumbered ? `<li value="${number}">` : '<li>', html)
    },
    html: () => {
      closeTo(0)
      return out.join('')
    },
  }
}

/** Returns a heading of this level, limited to 1 to 6. Empty if the HTML is blank. */
export function heading(level: number, html: string): string {
  const tag = `h${Math.min(Math.max(level, 1), 6)}`
  return isBlank(html) ? '' : `<${tag}>${html}</${tag}>`
}

/** Returns a paragraph, or an empty string if the HTML is blank. */
export function paragraph(html: string): string {
  return isBlank(html) ? '' : `<p>${html}</p>`
}

/** Returns whether HTML has nothing but white space, breaks and empty marks, such as `<b></b>`. */
export function isBlank(html: string): boolean {
  return /^(?:\s|<br>|&nbsp;|<\/?(?:b|i|s|u|em|strong|span|sup|sub)>)*$/.test(html)
}

export interface Cell {
  readonly html: string
  readonly columns?: number
  readonly rows?: number
}

// Larger spans in a file are an error or an attack.
const maxSpan = 1_000

/**
 * Returns a table in which the first `heads` rows are the header. The HTML of cells must be escaped already; spans are limited
 * to 1,000. Empty without rows.
 */
export function table(rows: readonly (readonly Cell[])[], heads: number): string {
  const lines = rows.map((cells, index) => row(cells, index < heads ? 'th' : 'td'))
  if (lines.length === 0) return ''
  const head = lines.slice(0, heads).join('')
  return `<table>${head === '' ? '' : `<thead>${head}</thead>`}<tbody>${lines.slice(heads).join('')}</tbody></table>`
}

function row(cells: readonly Cell[], tag: 'td' | 'th'): string {
  return `<tr>${cells.map((cell) => `<${tag}${spans(cell)}>${tag === 'th' ? plainHead(cell.html) : cell.html}</${tag}>`).join('')}</tr>`
}

/** Removes the bold of header cells, which is redundant. */
function plainHead(html: string): string {
  return /^<strong>((?:(?!<strong>)[^])*)<\/strong>$/.exec(html)?.[1] ?? html
}

function spans({ columns = 1, rows = 1 }: Cell): string {
  const span = (name: string, size: number): string => (size > 1 ? ` ${name}="${Math.min(size, maxSpan)}"` : '')
  return span('colspan', columns) + span('rowspan', rows)
}

// Allowed link schemes: scripts and local files become plain text.
const outside = /^(?:https?|mailto|ftp|tel|news|urn|doi):/i

/** Returns a link if its target is outside of the document and reachable for others; otherwise only its content. */
export function link(href: string | undefined, html: string): string {
  const address = href?.trim() ?? ''
  if (!outside.test(address) || isBlank(html)) return html
  return `<a href="${escapeValue(address)}">${html}</a>`
}

/**
 * Returns a picture's description as HTML, `(Image: …)` with the text escaped, or an empty string if there is none. Its bytes
 * are not used.
 */
export function picture(description: string | undefined): string {
  const words = description?.trim().replaceAll(/\s+/g, ' ') ?? ''
  return words === '' ? '' : `(Image: ${escapeText(words)})`
}

export interface Marks {
  readonly bold?: boolean
  readonly italic?: boolean
  readonly strike?: boolean
  readonly raised?: boolean
  readonly lowered?: boolean
  readonly code?: boolean
}

const tags: readonly (readonly [keyof Marks, string])[] = [
  ['code', 'code'],
  ['raised', 'sup'],
  ['lowered', 'sub'],
  ['strike', 's'],
  ['italic', 'em'],
  ['bold', 'strong'],
]

/** Wraps the HTML in the tags of its marks, unless it is blank. */
export function marked(html: string, marks: Marks): string {
  if (html.trim() === '') return html
  return tags.reduce((inner, [mark, tag]) => (marks[mark] ? `<${tag}>${inner}</${tag}>` : inner), html)
}

/** A text run with one set of marks. Neighbours with the same marks are merged. */
export interface Run {
  readonly html: string
  readonly marks: Marks
  readonly href?: string | undefined
}

/** Joins text runs to HTML. Neighbouring runs with the same link or the same marks share their tags. */
export function writeRuns(runs: readonly Run[]): string {
  const out: string[] = []
  let i = 0
  while (i < runs.length) {
    const { href } = runs[i] as Run
    const linked: string[] = []
    for (; i < runs.length && (runs[i] as Run).href === href;) {
      const { marks } = runs[i] as Run
      const texts: string[] = []
      for (; i < runs.length && (runs[i] as Run).href === href && isSame((runs[i] as Run).marks, marks); i++) {
        texts.push((runs[i] as Run).html)
      }
      linked.push(marked(texts.join(''), marks))
    }
    out.push(href === undefined ? linked.join('') : link(href, linked.join('')))
  }
  return out.join('')
}

/** Returns whether two runs have the same marks. */
export function isSame(a: Marks, b: Marks): boolean {
  return tags.every(([mark]) => (a[mark] ?? false) === (b[mark] ?? false))
}

/** Returns the HTML with neighbouring lines of code joined into one block, because office files have one paragraph per line. */
export function joinPreformatted(html: string): string {
  return html.replaceAll('</pre><pre>', '\n')
}
