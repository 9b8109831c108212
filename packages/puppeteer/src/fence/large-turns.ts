import { setImmediate as nextTurn } from 'node:timers/promises'

/** Characters of a message that reading and writing takes a while. */
const large = 524_288

/** Lets others have their turn between the reading and the writing of a large message. None overtakes the one before it. */
export function makeLargeTurns(): { take(size: number): Promise<void> } {
  let last: Promise<unknown> | undefined
  return {
    take: async (size) => {
      if (size < large && !last) return
      const mine = (last ?? Promise.resolve()).then(() => nextTurn())
      last = mine
      await mine
      if (last === mine) last = undefined
    },
  }
}
