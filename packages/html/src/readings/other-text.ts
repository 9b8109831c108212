import { elementsOf, textOf } from '../tree/walk.ts'
import type { Element } from '../tree/tree.ts'

const maxLines = 1_000
const shownInputs = new Set([
  '',
  'text',
  'number',
  'email',
  'tel',
  'url',
  'date',
  'time',
  'month',
  'week',
  'datetime-local',
])

/**
 * Returns text in SVG images and the values of input fields, one line each, at most 1,000 lines. Used for pages without any
 * other text.
 */
export function findOtherText(root: Element): readonly string[] {
  const lines: string[] = []
  for (const element of elementsOf(root)) {
    const line = lineOf(element)
    if (line !== '' && lines.length < maxLines) lines.push(line)
  }
  return lines
}

function lineOf(element: Element): string {
  const { name, attributes } = element
  if (name === 'text' && !isInText(element)) return textOf(element).replaceAll(/\s+/g, ' ').trim()
  if (name === 'input' && shownInputs.has((attributes['type'] ?? '').toLowerCase()))
    return (attributes['value'] ?? '').trim()
  return ''
}

/** Whether the element is nested in another `text` element, whose text includes it. */
function isInText({ parent }: Element): boolean {
  for (let at = parent; at; at = at.parent) if (at.name === 'text') return true
  return false
}
