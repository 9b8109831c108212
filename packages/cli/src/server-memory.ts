// Memory settings of a server process. V8 and glibc read them only when a process starts.
import { availableParallelism } from 'node:os'

/** Settings that only a new process can get. */
export interface ProcessSettings {
  /** Command-line flags of Node. */
  readonly flags: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

// The default young generation grows to 128 MB, nearly all of it garbage. Each of V8's helper threads and each arena of glibc
// holds freed memory back.
const youngSize = '--max-semi-space-size'

/** The settings of a process that only runs a server. */
export const serverMemory = (): ProcessSettings => ({
  flags: [`${youngSize}=8`, `--v8-pool-size=${Math.min(4, availableParallelism())}`],
  env: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' },
})

type Process = Pick<NodeJS.Process, 'argv' | 'env' | 'execArgv' | 'execPath' | 'platform'> &
  Partial<Pick<NodeJS.Process, 'connected' | 'execve'>>

/**
 * Replaces the process by one with these settings, which has the same id, arguments and standard streams. Has no effect if the
 * size of the young generation is already set, on Windows, in a Node version without `process.execve`, under Node's permission
 * model, and for a child process with an IPC channel, which would be lost. Variables that are set keep their values.
 */
export function restartWith({ flags, env }: ProcessSettings, process: Process): void {
  const { execArgv, execPath, argv } = process
  const isSet = [...execArgv, process.env['NODE_OPTIONS'] ?? ''].some((option) => option.includes(youngSize))
  if (isSet || process.connected || process.platform === 'win32' || !process.execve) return
  try {
    process.execve(execPath, [execPath, ...flags, ...execArgv, ...argv.slice(1)], { ...env, ...process.env })
  } catch {
    // The permission model forbids it. The server works without the settings.
  }
}
