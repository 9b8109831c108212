import type { WhenFull } from './when-full.ts'

/** Milliseconds to wait for a server that did not respond to the last attempt to connect. */
const laterWait = 1_000
/** Milliseconds after which the whole timeout is tried again, for a server that needs longer than `laterWait` to connect. */
const shortFor = 10_000

interface Waits {
  connectionTimeoutMillis?: number | undefined
}

/**
 * Returns `waiting` with a memory of servers that accept connections and do not respond: the first call waits for `timeout`
 * milliseconds, later ones for a second, until a call succeeds or 10 seconds have passed. The wait is that of the pool, so no
 * statement is sent after its call was rejected. Errors are passed on unchanged.
 */
export function notSilent(
  waiting: WhenFull,
  options: Waits,
  timeout: number,
  now: () => number = () => performance.now(),
): WhenFull {
  const short = Math.min(timeout, laterWait)
  let shortSince = 0
  return async (call) => {
    if (options.connectionTimeoutMillis === short && now() - shortSince >= shortFor)
      options.connectionTimeoutMillis = timeout
    try {
      const result = await waiting(call)
      options.connectionTimeoutMillis = timeout
      return result
    } catch (error) {
      // Silences of short waits do not prolong them, so that frequent calls cannot keep them short.
      if (isSilence(error) && options.connectionTimeoutMillis !== short) {
        options.connectionTimeoutMillis = short
        shortSince = now()
      }
      throw error
    }
  }
}

/** Not while a connection of the pool was awaited, which only means that all are in use. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Connection terminated due to connection timeout'
}
