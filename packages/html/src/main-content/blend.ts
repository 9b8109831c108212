// Combines the probabilities of the two models. Shared by the engine and the training script.

/**
 * Blocks with a lower probability in the first model are rejected without the second. Those are most of a page's
 * boilerplate.
 */
export const sureOut = 0.025

/** Early exit of the first model: a block below this score after this many trees (a third) is rejected. */
export const firstEarly = { trees: 40, below: -3 } as const

/** Returns the mean of two probabilities (0 to 1), taken in log odds. */
export function blend(first: number, second: number): number {
  const odds = (chance: number): number => Math.log((chance + tiny) / (1 - chance + tiny))
  return 1 / (1 + Math.exp(-(odds(first) + odds(second)) / 2))
}

const tiny = 1e-6
