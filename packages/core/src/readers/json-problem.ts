import { formatValue } from '../lib/format-value.ts'

const maxDepth = 100

/**
 * Checks that a value is JSON: strings, finite numbers, booleans, null, lists and plain objects. Properties may be undefined,
 * and so may the top-level value. Returns the problem, as the end of a sentence followed by a remedy, or `undefined`. More than
 * `most` values, or more than 100 levels, are a problem as well.
 */
export function jsonProblem(value: unknown, most: number): string | undefined {
  let count = 0
  const problemAt = (one: unknown, path: string, depth: number): string | undefined => {
    if ((count += 1) > most) return `more than ${most} values. Return less, or raise limits.documentValues.`
    if (one === null || typeof one === 'string' || typeof one === 'boolean') return undefined
    if (typeof one === 'number' && Number.isFinite(one)) return undefined
    if (typeof one !== 'object') return noJson(one, path)
    if (depth > maxDepth) return `lists and objects that are nested more than ${maxDepth} deep. Return a flatter value.`
    if (Array.isArray(one)) {
      for (let index = 0; index < one.length; index += 1) {
        const problem = problemAt(one[index], `${path}/${index}`, depth + 1)
        if (problem !== undefined) return problem
      }
      return undefined
    }
    const prototype: unknown = Object.getPrototypeOf(one)
    if (prototype !== null && prototype !== Object.prototype) return noJson(one, path)
    for (const [key, item] of Object.entries(one)) {
      const problem = item === undefined ? undefined : problemAt(item, `${path}/${key}`, depth + 1)
      if (problem !== undefined) return problem
    }
    return undefined
  }
  return value === undefined ? undefined : problemAt(value, '', 0)
}

function noJson(value: unknown, path: string): string {
  const place = path === '' ? '' : ` at ${path.slice(0, 100)}`
  const remedy = value instanceof Promise ? 'Return the value itself: the function is synchronous.' : 'Return JSON.'
  return `${nameOf(value)}${place}, which is not JSON. ${remedy}`
}

function nameOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) return `an object of the class ${value.constructor?.name ?? '?'}`
  return typeof value === 'bigint' || typeof value === 'symbol' ? `a ${typeof value}` : formatValue(value)
}
