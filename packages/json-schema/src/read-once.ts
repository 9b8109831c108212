/**
 * Returns a function that caches the result of `read` for frozen values. Values must be deeply frozen, as validated requests
 * are. Other values may still change, so they are read each time.
 */
export function readOnce<Value extends object, Read extends object>(
  read: (value: Value) => Read,
): (value: Value) => Read {
  const known = new WeakMap<Value, Read>()
  return (value) => {
    if (!Object.isFrozen(value)) return read(value)
    const found = known.get(value) ?? read(value)
    known.set(value, found)
    return found
  }
}
