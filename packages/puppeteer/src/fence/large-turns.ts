import { setImmediate as nextTurn } from 'node:timers/promises'

/** Messages with more characters take noticeable time to parse and serialize. */
const large = 524_288

/**
 * Returns a queue that yields to the event loop before each message of at least 524,288 characters. `size` is the length of
 * the message in characters. Messages stay in order.
 */
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
