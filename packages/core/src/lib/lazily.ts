/**
 * Returns a function that creates a value on its first call and returns the same one afterwards. If `make` throws, the next
 * call tries again.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

/** Returns an object whose properties are created on first access. */
export function lazyMembers<Makers extends Readonly<Record<string, () => unknown>>>(makers: Makers) {
  const members = Object.entries(makers).map(([name, make]) => [name, { enumerable: true, get: lazily(make) }])
  // Cast: each property has the type that its maker returns.
  return Object.defineProperties({}, Object.fromEntries(members)) as {
    readonly [Name in keyof Makers]: ReturnType<Makers[Name]>
  }
}
