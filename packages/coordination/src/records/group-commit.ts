/** Makes changes to values, one write for all changes that come while the write before is under way. */
export interface GroupCommit<Row> {
  /** Resolves to the value once the change is written; rejects when the change throws, which then changes nothing. */
  add(key: string, change: (row: Row) => Row): Promise<Row>
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
}

interface Waiting<Row> {
  readonly change: (row: Row) => Row
  readonly resolve: (row: Row) => void
  readonly reject: (error: unknown) => void
}

/** `write` applies the changes in one step, perhaps more than once, and resolves to what it wrote. */
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
    // All that is asked for in this turn of the event loop goes together.
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
