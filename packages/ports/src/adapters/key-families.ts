/** Keys of a store that begin alike. */
export interface KeyFamily {
  readonly begins: string
  /** Values under these keys. */
  readonly keeps: string
  /** Writer of the values. */
  readonly writes: string
  /** Lifetime of the values. */
  readonly lives: string
}

/** Makes a key of a family: how it begins, and what follows. */
export interface MakeKey extends KeyFamily {
  (rest?: string): string
}

/** The keys that a package writes, in one catalogue: whatever makes a key makes it by its family, and docs print it. */
export function keyFamilies<const Name extends string>(
  families: Readonly<Record<Name, KeyFamily>>,
): Readonly<Record<Name, MakeKey>> {
  const make = (family: KeyFamily): MakeKey => Object.assign((rest = '') => family.begins + rest, family)
  const made = Object.entries<KeyFamily>(families).map(([name, family]) => [name, make(family)] as const)
  // Cast: each name has what was made of its family.
  return Object.fromEntries(made) as Record<Name, MakeKey>
}
