import { fifo, type Fifo } from './fifo.ts'

/** Queue in turns by team: the next of each team in turn, and within a team the one that came first. */
export interface Turns<T> {
  readonly size: number
  push(team: string, item: T): void
  /** The next of the team whose turn it is; of those teams that may, when that is given. */
  shift(may?: (team: string) => boolean): T | undefined
  /** Returns whether `shift` would give something. */
  has(may: (team: string) => boolean): boolean
}

/** Makes a queue that hands out by team in turns. */
export function makeTurns<T>(): Turns<T> {
  // Lines of the teams in the order of their turns: a team that had one goes to the end.
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
