import type { Element } from '@harvestman/html/internal'

const plain = /^[A-Za-z_][\w-]{0,80}$/
const deepest = 200

/**
 * Returns a CSS selector for an element: its path from the nearest element with an id, which may be itself, or else from
 * `body`.
 */
export function selectorOf(element: Element): string {
  const steps: string[] = []
  let at: Element | null = element
  for (let left = deepest; at?.parent && left > 0; at = at.parent, left -= 1) {
    const { id } = at.attributes
    if (id !== undefined && plain.test(id)) {
      steps.push(`[id="${id}"]`)
      break
    }
    if (at.name === 'body') {
      steps.push('body')
      break
    }
    steps.push(`${at.name}:nth-of-type(${numberOf(at)})`)
  }
  return steps.reverse().join(' > ')
}

/** Returns the position of an element among siblings of the same tag name, from 1. */
function numberOf({ name, previous }: Element): number {
  let number = 1
  for (let at = previous; at; at = at.previous) if (at.type === 'element' && at.name === name) number += 1
  return number
}
