/** Runs tasks one at a time, in the order of the calls. */
export interface Sequence {
  /** Runs the task once all earlier tasks have ended, whether they failed or not. Settles as the task does. */
  run<T>(work: () => T | Promise<T>): Promise<T>
  /** Resolves when all tasks added so far have ended. */
  idle(): Promise<void>
}

/**
 * Creates an empty sequence, which runs one work at a time, in order. A work that rejects does not stop the next ones.
 */
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
