/** Keys of a store with a common prefix. */
export interface KeyFamily {
  readonly begins: string
  /** Description of the values under these keys. */
  readonly keeps: string
  /** Description of the code that writes the values. */
  readonly writes: string
  /** Description of the lifetime of the values. */
  readonly lives: string
}

/** Makes a key of a family from the rest behind the prefix. */
export interface MakeKey extends KeyFamily {
  (rest?: string): string
}

/**
 * Defines the catalogue of the keys that a package writes. All keys are made by these functions, and docs print the
 * catalogue. Each function appends its argument to the prefix of its family.
 */
export function keyFamilies<const Name extends string>(
  families: Readonly<Record<Name, KeyFamily>>,
): Readonly<Record<Name, MakeKey>> {
  const make = (family: KeyFamily): MakeKey => Object.assign((rest = '') => family.begins + rest, family)
  const made = Object.entries<KeyFamily>(families).map(([name, family]) => [name, make(family)] as const)
  // Cast: each name has the function of its family.
  return Object.fromEntries(made) as Record<Name, MakeKey>
}
