/**
 * Returns a function that runs work with the same name sequentially, in order of arrival, and work with different names in
 * parallel. It settles like the work; a failure does not affect later work.
 */
export function serializeByName(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const before = last.get(name)
    // A failure of earlier work does not affect later work.
    const mine = before ? before.then(work, work) : work()
    last.set(name, mine)
    try {
      return await mine
    } finally {
      if (last.get(name) === mine) last.delete(name)
    }
  }
}
