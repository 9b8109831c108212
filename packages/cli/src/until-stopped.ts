import { exitCodes, type Shell } from './shell.ts'

/**
 * Runs work that Ctrl-C aborts. It then prints "Stopped." and returns exit code 130, as shells expect. Other errors
 * reject.
 */
export async function untilStopped(work: (signal: AbortSignal) => Promise<number>, shell: Shell): Promise<number> {
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt)
  try {
    return await work(stop.signal)
  } catch (error) {
    if (!stop.signal.aborted) throw error
    shell.err('Stopped.\n')
    return exitCodes.interrupted
  } finally {
    process.off('SIGINT', interrupt)
  }
}
