/** Changes stored values, with one write for all changes that arrive while the previous write is pending. */
export interface GroupCommit<Row> {
  /** Resolves to the value once the change is written. Rejects if the change throws, which then has no effect. */
  add(key: string, change: (row: Row) => Row): Promise<Row>
  /** Resolves when no writes are pending. */
  idle(): Promise<void>
}

interface Waiting<Row> {
  readonly change: (row: Row) => Row
  readonly resolve: (row: Row) => void
  readonly reject: (error: unknown) => void
}

/**
 * Creates a group commit. `write` applies the changes atomically, perhaps more than once, and resolves to the written
 * value. A change that throws rejects only its own caller; if `write` fails, all callers of its group are rejected.
 */
export function makeGroupCommit<Row>(
  write: (key: string, changes: (row: Row) => Row) => Promise<Row>,
): GroupCommit<Row> {
  const groups = new Map<string, Waiting<Row>[]>()
  const working = new Set<Promise<void>>()

  const commit = async (key: string, group: readonly Waiting<Row>[]): Promise<void> => {
    const failures = new Map<Waiting<Row>, unknown>()
    const applyAll = (row: Row): Row => {
      failures.clear()
      return group.reduce((changed, one) => {
        try {
          return one.change(changed)
        } catch (error) {
          failures.set(one, error)
          return changed
        }
      }, row)
    }
    try {
      const row = await write(key, applyAll)
      for (const one of group) {
        if (failures.has(one)) one.reject(failures.get(one))
        else one.resolve(row)
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
  const work = async (key: string): Promise<void> => {
    // Groups all changes of this turn of the event loop.
    await Promise.resolve()
    for (let group = groups.get(key) ?? []; group.length > 0; group = groups.get(key) ?? []) {
      groups.set(key, [])
      await commit(key, group)
    }
    groups.delete(key)
  }

  return {
    add: (key, change) =>
      new Promise((resolve, reject) => {
        const group = groups.get(key)
        if (group) {
          group.push({ change, resolve, reject })
          return
        }
        groups.set(key, [{ change, resolve, reject }])
        const done = work(key).finally(() => working.delete(done))
        working.add(done)
      }),
    idle: async () => void (await Promise.allSettled(working)),
  }
}
