/**
 * Returns a value as JSON, or `undefined` if it has more than `most` characters. Cycles and values without a JSON form become
 * strings.
 */
export function toJson(value: unknown, most: number): string | undefined {
  const path: unknown[] = []
  const replacer = function (this: unknown, _key: string, given: unknown): unknown {
    while (path.length > 0 && path[path.length - 1] !== this) path.pop()
    const value = plain(given)
    if (typeof value === 'object' && value !== null) {
      if (path.includes(value)) return '[circle]'
      path.push(value)
    }
    return value
  }
  const text = print(value, replacer) ?? 'null'
  return text.length > most ? undefined : text
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  // The page may have overwritten the class.
  if (typeof Node === 'function' && value instanceof Node)
    return (value as Partial<Element>).outerHTML ?? value.nodeValue
  if (value instanceof Map || value instanceof Set) return [...(value as Iterable<unknown>)]
  if (value instanceof Error) return { name: value.name, message: value.message }
  return value
}

function print(value: unknown, replacer: (this: unknown, key: string, value: unknown) => unknown): string | undefined {
  try {
    return JSON.stringify(value, replacer)
  } catch {
    return JSON.stringify(String(value))
  }
}
