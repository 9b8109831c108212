/**
 * Formats a value for a message: as JSON, cut to 100 characters, or as `a function`. A value that JSON cannot express, such as
 * one with a cycle, is `an object` or `an array`.
 */
export function formatValue(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'bigint') return `${value}n`.slice(0, 100)
  return (jsonOf(value) ?? String(value)).slice(0, 100)
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return Array.isArray(value) ? 'an array' : 'an object'
  }
}
