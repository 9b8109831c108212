// Receives process signals in a worker thread. Node delivers them only to the main thread, which cannot handle them while it is
// stuck.
import { createRequire } from 'node:module'

/** The signals that ask a process to end. */
export const endSignals = ['SIGTERM', 'SIGINT'] as const

/** One of these signals. */
export type EndSignal = (typeof endSignals)[number]

/** Arguments of a worker that calls `listenInWorker`. */
export const signalArgs: readonly string[] = ['--expose-internals']

interface NodeSignals {
  startListeningIfSignal(name: string): void
  stopListeningIfSignal(name: string): void
}

/**
 * Calls the listener for the first occurrence of each signal, in addition to the handlers of the main thread. A second signal
 * has its default effect. No effect if Node does not support it: a stuck process then ends at the limit of the watchdog.
 */
export function listenInWorker(listener: (signal: EndSignal) => void): void {
  const node = loadNodeSignals()
  if (node === undefined) return
  for (const signal of endSignals) {
    process.once(signal, () => {
      node.stopListeningIfSignal(signal)
      listener(signal)
    })
    node.startListeningIfSignal(signal)
  }
}

function loadNodeSignals(): NodeSignals | undefined {
  try {
    return createRequire(import.meta.url)('internal/process/signal')
  } catch {
    return undefined
  }
}
