/** One rule of a port, as a test for any runner: it rejects with what was wrong. */
export interface ContractCase<Make> {
  readonly name: string
  readonly run: (make: Make) => Promise<void>
}

/** The cases that every adapter of a port passes. */
export type Contract<Make> = readonly ContractCase<Make>[]

/**
 * The contract less the cases that an adapter cannot keep, each with the reason. A name that is no case is refused: it
 * would hide nothing and stay for ever.
 */
export function without<Make>(contract: Contract<Make>, reasons: Readonly<Record<string, string>>): Contract<Make> {
  for (const [name, reason] of Object.entries(reasons)) {
    if (!contract.some((one) => one.name === name)) throw new Error(`There is no case "${name}" in this contract.`)
    if (reason.trim() === '') throw new Error(`Say why "${name}" cannot be kept.`)
  }
  return contract.filter(({ name }) => !Object.hasOwn(reasons, name))
}
