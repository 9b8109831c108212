/**
 * Freezes a value of plain objects and arrays in place, recursively, and returns it. Objects that are frozen already are
 * skipped with all that is in them.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) if (typeof part === 'object') deepFreeze(part)
  return Object.freeze(value)
}
