/**
 * Creates a bounded queue between one producer and one consumer. `give` returns `undefined` while fewer than `places` items
 * are queued, and otherwise a promise to wait for; `next` resolves to `undefined` at the end, and rejects after `fail`.
 */
export function makePipe<Item>(places: number) {
  const items: Item[] = []
  let room: PromiseWithResolvers<void> | undefined
  let change = Promise.withResolvers<void>()
  let failure: { readonly error: unknown } | undefined
  let isOver = false
  const tell = (): void => {
    change.resolve()
    change = Promise.withResolvers<void>()
  }
  return {
    give: (item: Item): Promise<void> | undefined => {
      items.push(item)
      tell()
      if (items.length < places) return undefined
      room ??= Promise.withResolvers<void>()
      return room.promise
    },
    end: (): void => {
      isOver = true
      tell()
    },
    fail: (error: unknown): void => {
      failure = { error }
      tell()
    },
    next: async (): Promise<Item | undefined> => {
      for (;;) {
        const item = items.shift()
        if (item !== undefined) {
          room?.resolve()
          room = undefined
          return item
        }
        if (failure) throw failure.error
        if (isOver) return undefined
        await change.promise
      }
    },
  }
}
