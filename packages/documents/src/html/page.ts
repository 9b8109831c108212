// HTML in files. The only module that imports the HTML parser.
import { parseHtml, toHtml, type Node } from '@harvestman/html/internal'

const dropped: ReadonlySet<string> = new Set([
  'script',
  'style',
  'title',
  'meta',
  'link',
  'base',
  'template',
  'noscript',
])

function isLeftOut(node: Node): boolean {
  if (node.type !== 'element') return false
  // Other pictures are in the file, or nowhere.
  return dropped.has(node.name) || (node.name === 'img' && !/^https?:/i.test(node.attributes['src'] ?? ''))
}

/**
 * Returns the content of a page as HTML in which all elements are closed, so that other content can follow it. Scripts, styles
 * and pictures in the file are omitted. Elements deeper than 400 are flattened.
 */
export function pageHtml(source: string): string {
  const { body } = parseHtml(source)
  const parts: string[] = []
  for (let child = body.first; child; child = child.next) {
    parts.push(toHtml(child, { leaveOut: isLeftOut }))
  }
  return `<div>${parts.join('')}</div>`
}
