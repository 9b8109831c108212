/** A connection to one host that is used by one exchange at a time, and kept for a while between them. */
export interface Line {
  /** What must be equal for a line to be used again: the origin, whether its certificate is checked, the proxy, the owner. Absent for one that is used once. */
  readonly key: string | undefined
  close(reason: Error): void
}

/** The lines of one fetcher: those that wait for work, and those that do it. */
export interface Lines<L extends Line> {
  /** Gives a waiting line. */
  take(key: string | undefined): L | undefined
  add(line: L): void
  /** The line has done its work and may be used again. */
  keep(line: L): void
  /** The line is lost, or was cut. */
  drop(line: L, reason: Error): void
  /** A waiting line was closed by the other side. */
  lost(line: L, reason: Error): void
  closeAll(reason: Error): void
}

const mostWaiting = 256

export function makeLines<L extends Line>(): Lines<L> {
  const all = new Set<L>()
  const waiting = new Map<string | undefined, L[]>()
  let count = 0

  const stopWaiting = (line: L): boolean => {
    const lines = waiting.get(line.key)
    const index = lines?.indexOf(line) ?? -1
    if (!lines || index < 0) return false
    lines.splice(index, 1)
    if (lines.length === 0) waiting.delete(line.key)
    count -= 1
    return true
  }
  const drop = (line: L, reason: Error): void => {
    stopWaiting(line)
    if (all.delete(line)) line.close(reason)
  }

  return {
    take: (key) => {
      // The one used last is the least likely to have been closed meanwhile.
      const line = waiting.get(key)?.at(-1)
      if (line) stopWaiting(line)
      return line
    },
    add: (line) => void all.add(line),
    keep: (line) => {
      if (!all.has(line)) return
      if (line.key === undefined || count >= mostWaiting) return drop(line, new Error('it need not wait'))
      const lines = waiting.get(line.key)
      if (lines) lines.push(line)
      else waiting.set(line.key, [line])
      count += 1
    },
    drop,
    lost: (line, reason) => {
      if (stopWaiting(line)) drop(line, reason)
    },
    closeAll: (reason) => {
      for (const line of all) drop(line, reason)
    },
  }
}
