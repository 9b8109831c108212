/** One rule of a port as a test for any test runner: `run` rejects if the rule is broken. */
export interface ContractCase<Make> {
  readonly name: string
  readonly run: (make: Make) => Promise<void>
}

/** The cases that every adapter of a port must pass. */
export type Contract<Make> = readonly ContractCase<Make>[]

/**
 * Returns the contract without the cases that an adapter cannot pass. `reasons` maps the name of each to the reason, which is not
 * shown anywhere. Throws for an empty reason, and for an unknown name, which would have no effect and never be noticed.
 */
export function withoutCases<Make>(
  contract: Contract<Make>,
  reasons: Readonly<Record<string, string>>,
): Contract<Make> {
  for (const [name, reason] of Object.entries(reasons)) {
    if (!contract.some((one) => one.name === name)) throw new Error(`There is no case "${name}" in this contract.`)
    if (reason.trim() === '') throw new Error(`Say why "${name}" cannot be kept.`)
  }
  return contract.filter(({ name }) => !Object.hasOwn(reasons, name))
}
