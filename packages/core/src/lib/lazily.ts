/** Makes a value when it is first asked for, and gives the same one from then on. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

/** An object whose members are made when they are first read. */
export function lazyMembers<Makers extends Readonly<Record<string, () => unknown>>>(makers: Makers) {
  const members = Object.entries(makers).map(([name, make]) => [name, { enumerable: true, get: lazily(make) }])
  // Cast: each member is what its maker gives.
  return Object.defineProperties({}, Object.fromEntries(members)) as {
    readonly [Name in keyof Makers]: ReturnType<Makers[Name]>
  }
}
