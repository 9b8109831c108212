import type { EventEmitter } from 'node:events'

export interface UncaughtOptions {
  /** Told of each. */
  readonly onFault: (fault: unknown) => void
  /** The process must end, since the exception may have left anything half done. Called once. */
  readonly onBroken: () => void
}

/**
 * Handles uncaught errors of a process, until it is stopped. A rejected promise without a handler ends nothing:
 * the work that made it has failed, and no other work was cut short. An exception has cut short whatever ran before it.
 */
export function takeUncaught(
  { onFault, onBroken }: UncaughtOptions,
  from: Pick<EventEmitter, 'on' | 'off'> = process,
): () => void {
  let isBroken = false
  const tell = (fault: unknown): void => {
    try {
      onFault(fault)
    } catch {
      // Who is told of faults must not make one.
    }
  }
  const failed = (reason: unknown): void => tell(reason)
  const thrown = (error: unknown): void => {
    tell(error)
    if (isBroken) return
    isBroken = true
    onBroken()
  }
  from.on('unhandledRejection', failed)
  from.on('uncaughtException', thrown)
  return () => {
    from.off('unhandledRejection', failed)
    from.off('uncaughtException', thrown)
  }
}
