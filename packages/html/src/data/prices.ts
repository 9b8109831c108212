import type { Element } from '../tree/tree.ts'
import { lineOf, nextNode } from '../tree/walk.ts'
import { wordsOf } from './annotations.ts'
import { numberPattern, readNumber } from './values.ts'

const maxPrices = 500
const money = /[$€£¥₹]|\b(?:EUR|USD|GBP|CHF|AUD|CAD|kr|zł|Kč|Ft|лв)\b/
const unshown = new Set(['script', 'style', 'template', 'noscript', 'head', 'svg'])
const maxPriceLength = 60

/**
 * Returns the distinct numbers, at most 500, in elements with a currency and at most 60 characters, including prices split
 * over several text nodes. Empty if there are none.
 */
export function collectPrices(root: Element): readonly number[] {
  const prices = new Set<number>()
  let node = nextNode(root, root)
  while (node && prices.size < maxPrices) {
    if (node.type === 'text') for (const price of pricesIn(node.text, node.parent)) prices.add(price)
    node = nextNode(node, root, node.type === 'element' && unshown.has(node.name))
  }
  return [...prices]
}

function pricesIn(text: string, parent: Element | null): readonly number[] {
  const line = shortLine(text)
  if (line === undefined || !money.test(line)) return []
  const around = parent && isSmall(parent) ? wordsOf(parent) : ''
  const numbers = [line, around].flatMap((words) => words.match(numberPattern) ?? [])
  return numbers.flatMap((number) => readNumber(number, true) ?? [])
}

/** Returns a string with normalized white space, or `undefined` if it is too long for a price. */
function shortLine(text: string): string | undefined {
  const trimmed = text.trim()
  const line = trimmed.length <= maxPriceLength * 10 ? lineOf(trimmed) : trimmed
  return line.length <= maxPriceLength ? line : undefined
}

const maxParts = 6

function isSmall(element: Element): boolean {
  let parts = 0
  for (let child = element.first; child; child = child.next) {
    if (++parts > maxParts || (child.type === 'text' && shortLine(child.text) === undefined)) return false
  }
  return true
}
