/** A factory that must be closed at the end. */
interface Opens<Wish, Opened> {
  open(wish: Wish, signal: AbortSignal): Promise<Opened>
  close(): Promise<void>
}

/**
 * Wraps a factory that is created on first use, because its modules take long to load. If that fails, the calls of `open` that
 * wait for it reject, and the next one tries again. After `close`, calls of `open` reject with the error of the closed factory.
 */
export function opensLate<Wish, Opened>(make: () => Promise<Opens<Wish, Opened>>): Opens<Wish, Opened> {
  let made: Promise<Opens<Wish, Opened>> | undefined
  let isClosed = false
  const makeOne = async (): Promise<Opens<Wish, Opened>> => {
    const one = await make()
    // Its `open` then rejects by itself.
    if (isClosed) await one.close()
    return one
  }
  const makeOnce = (): Promise<Opens<Wish, Opened>> =>
    (made ??= makeOne().catch((error: unknown) => {
      made = undefined
      throw error
    }))
  return {
    open: async (wish, signal) => (await makeOnce()).open(wish, signal),
    close: async () => {
      isClosed = true
      const one = await made?.catch(() => undefined)
      await one?.close()
    },
  }
}
