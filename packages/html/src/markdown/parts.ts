import type { Element, Node } from '../tree/tree.ts'
import { nextNode } from '../tree/walk.ts'
import { writeChildren } from './descend.ts'
import type { ElementWriter } from './sheet.ts'
import { pushText } from './text.ts'

/**
 * Writes inline content, with a space before it if only a style sheet separates it from its neighbour (label and value,
 * names).
 */
export const writePart: ElementWriter = (sheet, element) => {
  const { run } = sheet
  const { previous } = element
  if (previous?.type === 'element' && run.space === 0 && run.breaks === 0 && !run.atEdge && !sheet.inCode) {
    if (isGlued(previous, element, run.lastCode)) pushText(run, ' ')
  }
  writeChildren(sheet, element)
}

const inline = new Set(['span', 'b', 'strong', 'label', 'small', 'time', 'em'])
const labels = /label|name|title|key|term|heading/i
const values = /value|data|content|text|detail|desc|info/i
const maxParts = 4

/** Returns whether two adjacent elements with different classes would wrongly merge into one word. */
function isGlued(left: Element, right: Element, lastCode: number): boolean {
  if (lastCode === 0 || !inline.has(left.name) || isOneLetter(left) || isOneLetter(right)) return false
  const one = left.attributes['class'] ?? ''
  const other = right.attributes['class'] ?? ''
  if (one === other && left.name === right.name) return false
  if (!arePartsOnly(right.parent)) return false
  const before = String.fromCharCode(lastCode)
  const after = firstLetter(right)
  if (!/[\p{L}\p{N}]/u.test(before) || !/[\p{L}\p{N}]/u.test(after) || /[\u2E80-\uFFEF]/.test(before + after))
    return false
  if (labels.test(one) && values.test(other)) return true
  return /\p{N}|\p{Lu}/u.test(after) && !/\p{Lu}/u.test(before)
}

function arePartsOnly(parent: Element | null): boolean {
  let parts = 0
  for (let child = parent?.first; child; child = child.next) {
    if (child.type === 'text' ? /\S/.test(child.text) : !inline.has(child.name) || ++parts > maxParts) return false
  }
  return true
}

function firstLetter(element: Element): string {
  return /\S/u.exec(firstText(element))?.[0] ?? ''
}

function firstText(element: Element): string {
  for (let node: Node | null = element.first; node; node = nextNode(node, element)) {
    if (node.type === 'text' && /\S/.test(node.text)) return node.text
  }
  return ''
}

/** Returns whether the element contains at most one character: characters that are styled one by one form a word. */
function isOneLetter(element: Element): boolean {
  return firstText(element).trim().length < 2
}
