import type { Observer } from '@harvestman/ports'

/** One observer that tells several. A fault of one is not the engine's, nor that of the others. */
export function observers(...all: readonly (Observer | undefined)[]): Observer {
  const present = all.filter((observer) => observer !== undefined)
  return (event) => {
    for (const observer of present) {
      try {
        observer(event)
      } catch {
        // Watching must never change what is watched.
      }
    }
  }
}
