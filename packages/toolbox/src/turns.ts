import { fifo, type Fifo } from './fifo.ts'

/** A queue that serves teams round-robin, and each team's items first in, first out. */
export interface Turns<T> {
  readonly size: number
  push(team: string, item: T): void
  /** Removes and returns the next item, only of teams for which `may` returns true if it is given. */
  shift(may?: (team: string) => boolean): T | undefined
  /** Returns whether `shift` would return an item. */
  has(may: (team: string) => boolean): boolean
}

/**
 * Creates a queue that serves teams round-robin. `shift` returns `undefined` if it is empty, or `may` allows no team.
 */
export function makeTurns<T>(): Turns<T> {
  // Queues of the teams in the order of their turns: a team that was served moves to the end.
  const lines = new Map<string, Fifo<T>>()
  let size = 0
  return {
    get size() {
      return size
    },
    push: (team, item) => {
      const line = lines.get(team) ?? fifo<T>()
      lines.set(team, line)
      line.push(item)
      size += 1
    },
    shift: (may = () => true) => {
      for (const [team, line] of lines) {
        if (!may(team)) continue
        const item = line.shift()
        size -= 1
        lines.delete(team)
        if (line.size > 0) lines.set(team, line)
        return item
      }
      return undefined
    },
    has: (may) => [...lines.keys()].some(may),
  }
}
