/**
 * Reads a frozen value once, however often it is asked for: what was read of it goes wherever the value goes, and with it. It
 * must be frozen all the way down, as checked requests are. What may still change is read each time.
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
