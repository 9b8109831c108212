/** What opens one thing after the other until it is closed. */
interface Opens<Wish, Opened> {
  open(wish: Wish, signal: AbortSignal): Promise<Opened>
  close(): Promise<void>
}

/** One that is made when something is first opened: what it is made of takes long to load. */
export function opensLate<Wish, Opened>(make: () => Promise<Opens<Wish, Opened>>): Opens<Wish, Opened> {
  let made: Promise<Opens<Wish, Opened>> | undefined
  let isClosed = false
  const makeOne = async (): Promise<Opens<Wish, Opened>> => {
    const one = await make()
    // It says itself that nothing more is opened.
    if (isClosed) await one.close()
    return one
  }
  return {
    open: async (wish, signal) => (await (made ??= makeOne())).open(wish, signal),
    close: async () => {
      isClosed = true
      await (await made)?.close()
    },
  }
}
