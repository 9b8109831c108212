// Visible text of pages given as HTML.
import { parseHtml, type Node } from '@harvestman/html/internal'

import { limits } from './recipe.ts'

const unseen = new Set(['script', 'style', 'template', 'noscript', 'head'])
const inline = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark nobr q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

/**
 * Returns the visible text of HTML, without scripts and styles, at most 500,000 characters. Elements that are not inline are
 * separated by spaces. Other strings are returned unchanged.
 */
export function shownText(given: string): string {
  if (!/^\s*</.test(given)) return given.slice(0, limits.shown)
  const { root } = parseHtml(given.slice(0, limits.htmlBytes))
  const texts: string[] = []
  let length = 0
  const left: (Node | ' ')[] = [root]
  for (let next = left.pop(); next && length < limits.shown; next = left.pop()) {
    if (next === ' ' || next.type === 'text') {
      const text = next === ' ' ? next : next.text
      texts.push(text)
      length += text.length
    } else if (!unseen.has(next.name)) {
      const gap = inline.has(next.name) ? [] : [' ' as const]
      left.push(...gap)
      for (let child = next.last; child; child = child.previous) left.push(child)
      texts.push(...gap)
    }
  }
  return texts.join('').slice(0, limits.shown)
}
