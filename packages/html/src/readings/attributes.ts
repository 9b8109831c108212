import { detached } from '../tree/detached.ts'
import { spendNothing, type Spend } from '../tree/output.ts'
import { compileSelector, isProblem, selectAll } from '../select/select.ts'
import type { Element } from '../tree/tree.ts'

export interface AttributeRequest {
  readonly selector: string
  readonly attribute: string
}

export interface FoundAttribute extends AttributeRequest {
  readonly values: readonly string[]
}

/**
 * Returns for each request the values of the attribute on all matching elements, as written on the page. An invalid
 * selector has no values and causes a warning.
 */
export function findAttributes(
  root: Element,
  requests: readonly AttributeRequest[],
  warn: (problem: string) => void,
  spend: Spend = spendNothing,
): FoundAttribute[] {
  return requests.map(({ selector, attribute }) => {
    const compiled = compileSelector(selector)
    const found = isProblem(compiled) ? compiled : selectAll(compiled, root)
    if (isProblem(found)) {
      warn(found.problem)
      return { selector, attribute, values: [] }
    }
    const name = attribute.toLowerCase()
    const values: string[] = []
    for (const { attributes } of found) {
      const value = attributes[name]
      if (value === undefined) continue
      spend(value.length, 1)
      values.push(detached(value))
    }
    return { selector, attribute, values }
  })
}
