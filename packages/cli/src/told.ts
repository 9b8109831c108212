/**
 * Resolves when the process receives one of these signals. The first one of each no longer ends the process; a second one does.
 */
export function nextSignal(signals: readonly NodeJS.Signals[]): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve())
  })
}
