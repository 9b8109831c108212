// Visible text of pages given as HTML.
import { nextNode, parseHtml } from '@harvestman/html/internal'

import { limits } from './recipe.ts'

const unseen = new Set(['script', 'style', 'template', 'noscript', 'head'])

/** Returns the visible text of HTML, without scripts and styles, at most 500,000 characters. Other strings are returned unchanged. */
export function shownText(given: string): string {
  if (!/^\s*</.test(given)) return given.slice(0, limits.shown)
  const { root } = parseHtml(given.slice(0, limits.htmlBytes))
  const texts: string[] = []
  let length = 0
  let node = nextNode(root, root)
  while (node && length < limits.shown) {
    const isUnseen = node.type === 'element' && unseen.has(node.name)
    if (node.type === 'text') {
      texts.push(node.text)
      length += node.text.length + 1
    }
    node = nextNode(node, root, isUnseen)
  }
  return texts.join(' ').slice(0, limits.shown)
}
