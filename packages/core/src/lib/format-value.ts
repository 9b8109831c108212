/**
 * Formats a value for a message: as JSON, cut to 100 characters, or as `a function`. Throws a `TypeError` for a cycle or a
 * bigint.
 */
export function formatValue(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  return (JSON.stringify(value) ?? String(value)).slice(0, 100)
}
