import { parseHtml } from '../../../packages/html/src/parse/parse.ts'
import type { Element, Node } from '../../../packages/html/src/tree/tree.ts'

// A page as one line per element and text, so that two pages can be compared but for white space that means nothing.

const blocks: ReadonlySet<string> = new Set(
  `blockquote body dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre section summary table tbody td
  tfoot th thead tr ul`.split(/\s+/),
)

const sameAs: Readonly<Record<string, string>> = { b: 'strong', i: 'em', s: 'del', strike: 'del' }

const kept: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title'],
  img: ['src', 'alt', 'title'],
  ol: ['start'],
  td: ['align'],
  th: ['align'],
  input: ['type', 'checked'],
  code: ['class'],
}

export function canonical(html: string): string {
  const lines: string[] = []
  writeChildren(parseHtml(html).body, lines, false)
  return lines.join('\n')
}

function writeChildren(parent: Element, lines: string[], isVerbatim: boolean): void {
  for (let child = parent.first; child; child = child.next) {
    if (child.type === 'text') writeText(child, lines, isVerbatim)
    else writeElement(child, lines, isVerbatim)
  }
}

function writeElement(element: Element, lines: string[], isVerbatim: boolean): void {
  const name = sameAs[element.name] ?? element.name
  if (name === 'tbody' || name === 'thead') return writeChildren(element, lines, isVerbatim)
  lines.push(`<${name}${attributesOf(name, element)}>`)
  writeChildren(element, lines, isVerbatim || name === 'pre' || name === 'code')
  lines.push(`</${name}>`)
}

function attributesOf(name: string, { attributes }: Element): string {
  return (kept[name] ?? [])
    .filter((key) => attributes[key] !== undefined && (attributes[key] !== '' || key === 'href' || key === 'checked'))
    .filter((key) => key !== 'start' || attributes[key] !== '1')
    .map((key) => ` ${key}=${key === 'checked' ? '' : addressOf(attributes[key] ?? '')}`)
    .concat(alignOf(name, attributes.style))
    .join('')
}

/** Some renderers align cells by style. */
function alignOf(name: string, style: string | undefined): string[] {
  const align = (name === 'td' || name === 'th') && style ? /text-align:\s*(\w+)/.exec(style)?.[1] : undefined
  return align ? [` align=${align}`] : []
}

// Renderers write the same address with more or fewer signs as percent codes.
function addressOf(value: string): string {
  try {
    return decodeURI(value)
  } catch {
    return value
  }
}

function writeText(node: Node & { readonly text: string }, lines: string[], isVerbatim: boolean): void {
  if (isVerbatim) {
    lines.push(JSON.stringify(isLastInPre(node) ? node.text.replace(/\n$/, '') : node.text))
    return
  }
  let text = node.text.replace(/[ \t\n\f\r]+/g, ' ')
  if (isAtEdge(node, 'previous')) text = text.replace(/^ /, '')
  if (isAtEdge(node, 'next')) text = text.replace(/ $/, '')
  if (text !== '') lines.push(JSON.stringify(text))
}

function isLastInPre(node: Node): boolean {
  for (let at: Node | null = node; at; at = at.parent) {
    if (at.type === 'element' && at.name === 'pre') return true
    if (at.next) return false
  }
  return false
}

/** Beside the start or end of a block, or a line break, white space is nothing. */
function isAtEdge(node: Node, side: 'previous' | 'next'): boolean {
  const beside = node[side]
  if (!beside) return node.parent === null || blocks.has(node.parent.name)
  return beside.type === 'element' && (blocks.has(beside.name) || beside.name === 'br' || beside.name === 'input')
}
