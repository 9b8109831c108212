/** Runs work one piece at a time, in the order of the calls. */
export interface Sequence {
  /** Runs the work once all earlier work has ended, whether it failed or not. Settles as the work does. */
  run<T>(work: () => T | Promise<T>): Promise<T>
  /** Resolves when all work that was added until now has ended. */
  idle(): Promise<void>
}

/** Makes a sequence with no work. */
export function makeSequence(): Sequence {
  let last: Promise<void> = Promise.resolve()
  return {
    run: (work) => {
      const result = last.then(work)
      last = result.then(ignore, ignore)
      return result
    },
    idle: () => last,
  }
}

const ignore = (): void => undefined
