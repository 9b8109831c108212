import { deepFreeze } from './deep-freeze.ts'

const known = new WeakSet<object>()

/**
 * Freezes an object of plain JSON recursively and returns it. An in-memory store keeps it without a copy: it cannot change, so
 * no reader needs one.
 */
export function frozenJson<Value extends object>(value: Value): Value {
  known.add(deepFreeze(value))
  return value
}

/** Returns whether an object was frozen by `frozenJson`. */
export function isFrozenJson(value: unknown): value is object {
  return typeof value === 'object' && value !== null && known.has(value)
}
