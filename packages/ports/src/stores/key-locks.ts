/**
 * Read-write locks by key: a write is exclusive, reads run together, and each waits for the calls before it. An unused key
 * costs nothing.
 */
export interface KeyLocks {
  read<T>(keys: readonly string[], work: () => Promise<T>): Promise<T>
  write<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Resolves when no caller has or awaits a lock. */
  idle(): Promise<void>
}

interface Turns {
  writes: Promise<unknown>
  reads: Promise<unknown>
  users: number
}

/**
 * Creates locks by key, within one process. Calls wait without a limit, settle like their work, and release the lock also if it
 * fails.
 */
export function keyLocks(): KeyLocks {
  const open = new Map<string, Turns>()
  const running = new Set<Promise<unknown>>()

  const enter = (key: string): Turns => {
    const turns = open.get(key) ?? { writes: done, reads: done, users: 0 }
    turns.users += 1
    open.set(key, turns)
    return turns
  }
  const leave = (key: string, turns: Turns) => {
    turns.users -= 1
    if (turns.users === 0) open.delete(key)
  }
  const track = (run: Promise<unknown>, keys: readonly string[], turns: readonly Turns[]) => {
    const settled = run.then(ignore, ignore).finally(() => {
      for (const [index, key] of keys.entries()) leave(key, turns[index]!)
      running.delete(settled)
    })
    running.add(settled)
    return settled
  }

  return {
    read(keys, work) {
      const turns = keys.map(enter)
      const run = Promise.all(turns.map(({ writes }) => writes)).then(work)
      const settled = track(run, keys, turns)
      for (const turn of turns) turn.reads = Promise.all([turn.reads, settled])
      return run
    },
    write(key, work) {
      const turns = enter(key)
      const run = Promise.all([turns.writes, turns.reads]).then(work)
      turns.writes = track(run, [key], [turns])
      return run
    },
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

const ignore = () => undefined
const done = Promise.resolve()
