import type { EventEmitter } from 'node:events'

export interface UncaughtOptions {
  /** Called with each error. */
  readonly onFault: (fault: unknown) => void
  /** Called once after an uncaught exception. The process must end, because any work may be half done. */
  readonly onBroken: () => void
}

const maxReportedExceptions = 10

/**
 * Handles uncaught errors of a process until the returned function is called. An unhandled rejection ends nothing: only the work
 * that caused it has failed. An uncaught exception may have interrupted any work, so the first one calls `onBroken` as well. After
 * 10 of them nothing is reported: an exception that its own report causes would repeat forever, and promises would not continue.
 */
export function takeUncaught(
  { onFault, onBroken }: UncaughtOptions,
  from: Pick<EventEmitter, 'on' | 'off'> = process,
): () => void {
  let exceptions = 0
  const tell = (fault: unknown): void => {
    try {
      onFault(fault)
    } catch {
      // An error in the error handler must not cause another one.
    }
  }
  const failed = (reason: unknown): void => tell(reason)
  const thrown = (error: unknown): void => {
    exceptions += 1
    const isFirst = exceptions === 1
    if (exceptions <= maxReportedExceptions) tell(error)
    if (isFirst) onBroken()
  }
  from.on('unhandledRejection', failed)
  from.on('uncaughtException', thrown)
  return () => {
    from.off('unhandledRejection', failed)
    from.off('uncaughtException', thrown)
  }
}
