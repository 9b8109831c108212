import { nextTurn } from '@harvestman/toolbox/next-turn'

// Takes about ten milliseconds.
const step = 100_000

/** Counts work in characters. Resolves at once, or after other work had a turn, if there was much since then. Rejects when aborted. */
export type Pause = (characters: number) => Promise<void>

/** Creates a counter of work. */
export function makePause(signal: AbortSignal): Pause {
  let done = 0
  return async (characters) => {
    done += characters
    if (done < step) return
    done = 0
    await nextTurn()
    signal.throwIfAborted()
  }
}
