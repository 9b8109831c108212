/**
 * Resolves when the process receives one of these signals. From then on they no longer end the process by themselves.
 */
export function nextSignal(signals: readonly NodeJS.Signals[]): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve())
  })
}
