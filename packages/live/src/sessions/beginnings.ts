// Live browsers that are being opened, and the limit on the wait for them when their engine is closed.
import type { Clock, EngineError } from '@harvestman/ports'
import { untilAborted } from '@harvestman/toolbox/until-aborted'

const endsWithin = 5_000

/** Work that opens live browsers. */
export interface Beginnings {
  /** Aborted when the engine is closed. */
  readonly closing: AbortSignal
  /** Aborted 5 seconds later: work that ignores `closing`, such as a browser that does not start, is no longer awaited. */
  readonly abandoned: AbortSignal
  /** Settles as the work does. Rejects with `closed` after `close`, at the latest when the work is abandoned. */
  run<T>(begin: () => Promise<T>): Promise<T>
  /** Resolves when all work has ended, or 5 seconds after the rest was abandoned. */
  close(reason: EngineError): Promise<void>
}

/**
 * Tracks the running work of one engine. `run` settles as its work does. After `close`, new work rejects with the given reason
 * at once, and running work after 5 seconds, when it is abandoned; `close` resolves within 10 seconds.
 */
export function makeBeginnings(clock: Clock): Beginnings {
  const [closing, abandoned] = [new AbortController(), new AbortController()]
  const running = new Set<Promise<unknown>>()
  const end = async (): Promise<void> => {
    const done = new AbortController()
    const late = clock.sleep(endsWithin, done.signal).catch(() => undefined)
    await Promise.race([Promise.allSettled(running), late])
    done.abort()
  }
  return {
    closing: closing.signal,
    abandoned: abandoned.signal,
    run: async (begin) => {
      closing.signal.throwIfAborted()
      const begun = begin()
      running.add(begun)
      const forget = () => void running.delete(begun)
      begun.then(forget, forget)
      return untilAborted(begun, abandoned.signal)
    },
    close: async (reason) => {
      closing.abort(reason)
      await end()
      abandoned.abort(reason)
      // Abandoned work gives its credits back and ends its record.
      await end()
    },
  }
}
