import { detached } from './detached.ts'
import { compileSelector, isProblem, selectAll } from './select/select.ts'
import type { Element } from './tree.ts'

export interface AttributeRequest {
  readonly selector: string
  readonly attribute: string
}

export interface FoundAttribute extends AttributeRequest {
  readonly values: readonly string[]
}

/** For each request, the values of the attribute on all elements that match and have it, as the page wrote them. */
export function findAttributes(
  root: Element,
  requests: readonly AttributeRequest[],
  warn: (problem: string) => void,
): FoundAttribute[] {
  return requests.map(({ selector, attribute }) => {
    const compiled = compileSelector(selector)
    const found = isProblem(compiled) ? compiled : selectAll(compiled, root)
    if (isProblem(found)) {
      warn(found.problem)
      return { selector, attribute, values: [] }
    }
    const name = attribute.toLowerCase()
    const values = found
      .map(({ attributes }) => attributes[name])
      .filter((value) => value !== undefined)
      .map(detached)
    return { selector, attribute, values }
  })
}
