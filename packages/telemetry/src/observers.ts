import type { Observer } from '@harvestman/ports'

/** Combines several observers into one. An error of an observer affects neither the engine nor the other observers. */
export function observers(...all: readonly (Observer | undefined)[]): Observer {
  const present = all.filter((observer) => observer !== undefined)
  return (event) => {
    for (const observer of present) {
      try {
        observer(event)
      } catch {
        // A failing observer must not affect the engine.
      }
    }
  }
}
