import { absoluteAttributes } from '../addresses/absolute-urls.ts'
import { Output, type Spend } from '../tree/output.ts'
import type { Element, Node, Text } from '../tree/tree.ts'
import type { Base } from '../addresses/urls.ts'

export interface HtmlOptions {
  /** Nodes to skip, with all their descendants. */
  readonly leaveOut?: (node: Node) => boolean
  /** Makes every URL absolute. */
  readonly base?: Base
  readonly spend?: Spend
}

const voids = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(' '),
)
const rawText = new Set('style script xmp iframe noembed noframes plaintext'.split(' '))
// Elements after whose start tag the parser drops one line feed.
const dropsNewline = new Set(['pre', 'textarea', 'listing'])

/**
 * Serializes a node and its descendants to HTML. Without options, parsing the result gives the same tree. Throws only what
 * `spend` and `leaveOut` throw.
 */
export function toHtml(node: Node, options: HtmlOptions = {}): string {
  const { leaveOut, base, spend } = options
  const parts = new Output(spend)
  let at: Node | null = node
  while (at) {
    if (!leaveOut?.(at)) {
      if (at.type === 'text') parts.push(writeText(at))
      else {
        parts.push(startOf(at, base))
        if (at.first) {
          at = at.first
          continue
        }
        parts.push(endOf(at))
      }
    }
    while (at && at !== node && !at.next) {
      at = at.parent
      if (at) parts.push(endOf(at))
    }
    at = at && at !== node ? at.next : null
  }
  return parts.join()
}

function startOf(element: Element, base: Base | undefined): string {
  const { name, first } = element
  if (name === '#document') return ''
  const attributes = base ? absoluteAttributes(element, base) : element.attributes
  let tag = `<${name}`
  for (const attribute in attributes) tag += ` ${attribute}="${escapeAttribute(attributes[attribute]!)}"`
  const keepsNewline = dropsNewline.has(name) && first?.type === 'text' && first.text.startsWith('\n')
  return keepsNewline ? `${tag}>\n` : `${tag}>`
}

function endOf({ name }: Element): string {
  return name === '#document' || voids.has(name) ? '' : `</${name}>`
}

function writeText({ text, parent }: Text): string {
  return parent && rawText.has(parent.name) ? text : escapeText(text)
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\u00A0': '&nbsp;',
}
const escape = (character: string): string => escapes[character]!

function escapeText(text: string): string {
  return text.replace(/[&<>\u00A0]/g, escape)
}

function escapeAttribute(text: string): string {
  return text.replace(/[&<>"\u00A0]/g, escape)
}
