/** Counts the messages of an engine that were not delivered yet. */
export interface Backlog {
  readonly size: number
  /** Counts those of one sender, in place of what it had before. */
  set(name: string, count: number): void
}

/** Makes an empty backlog. */
export function makeBacklog(): Backlog {
  const counts = new Map<string, number>()
  return {
    get size() {
      return [...counts.values()].reduce((sum, count) => sum + count, 0)
    },
    set: (name, count) => {
      if (count === 0) counts.delete(name)
      else counts.set(name, count)
    },
  }
}
