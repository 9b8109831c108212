/**
 * Freezes a value of plain objects and arrays in place, recursively, and returns it. Objects that are already frozen are
 * skipped with their contents.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) if (typeof part === 'object') deepFreeze(part)
  return Object.freeze(value)
}
