/** Counts the undelivered messages of an engine. */
export interface Backlog {
  readonly size: number
  /** Sets the count of one sender. */
  set(name: string, count: number): void
}

/** Creates an empty backlog: the number of unsent messages by outbox, and in total. */
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
