import type { Element } from '@harvestman/html/internal'

const plain = /^[A-Za-z_][\w-]{0,80}$/
const deepest = 200

/** A CSS selector of an element, by its place below the nearest element with an id. */
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

/** Its number among the children of its parent that have its name. */
function numberOf({ name, previous }: Element): number {
  let number = 1
  for (let at = previous; at; at = at.previous) if (at.type === 'element' && at.name === name) number += 1
  return number
}
