// What the benches tell `all.ts`: the ratios of a run, each over a contender of the same run.

/** By what they are of. The smaller, the better, in all of them. */
export type Ratios = Readonly<Record<string, number>>

/** Whether a run is to end with its ratios, as a line of JSON. */
export const asksForRatios = process.argv.includes('--json')

/** What the command line says beside that. */
export const given: readonly string[] = process.argv.slice(2).filter((word) => word !== '--json')

/** Says as the last line what a run has found, and of what it lacked something, with the reason. */
export function tellRatios(ratios: Ratios, missing: Readonly<Record<string, string>> = {}): void {
  if (asksForRatios) console.log(JSON.stringify({ ratios, missing }))
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/** What was started, or the reason why this machine cannot start it. */
export async function startOr<T>(start: () => Promise<T>): Promise<T | string> {
  try {
    return await start()
  } catch (error) {
    return `It cannot be started here: ${error instanceof Error ? error.message : String(error)}`
  }
}
