// How the answers of the two models become one chance. The engine and the training program share it.

/** Blocks that the first model is this sure to leave out are not judged again: most of a page's furniture. */
export const sureOut = 0.025

/** What the first model would leave out after a third of its trees it leaves out after all of them. */
export const firstEarly = { trees: 40, below: -3 } as const

/** Both models have a say: the mean of what they think, as odds. */
export function blend(first: number, second: number): number {
  const odds = (chance: number): number => Math.log((chance + tiny) / (1 - chance + tiny))
  return 1 / (1 + Math.exp(-(odds(first) + odds(second)) / 2))
}

const tiny = 1e-6
