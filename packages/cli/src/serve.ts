import { isForMany, openServer, openWorker, readConfig, withoutCredentials, type Config } from '@harvestman/node'

import { onDisk, onStore, sources } from './settings.ts'
import { exitCodes, type Shell } from './shell.ts'
import { nextSignal } from './told.ts'

export interface ServeFlags {
  readonly port?: string
  readonly host?: string
  readonly store?: string
  readonly queue?: string
  readonly work?: boolean
  readonly set?: readonly string[]
  readonly allowPrivate?: string
  readonly config?: string
}

export type WorkFlags = Omit<ServeFlags, 'work'>

/**
 * Runs the server until the process receives a stop signal. `started` is called with its URL. Rejects if the configuration is
 * invalid, or the store or port cannot be opened. Resolves to the exit code. After an unexpected error, the process exits.
 */
export async function serve(
  { config: file, work, ...given }: ServeFlags,
  shell: Shell,
  started: (url: string) => void = () => undefined,
): Promise<number> {
  const config = onDisk(readConfig(sources(file, { ...given }, shell)).config)
  const broken = Promise.withResolvers<true>()
  const onBroken = (): void => broken.resolve(true)
  const server = await onStore(config, () => openServer(config, { write: shell.err, works: work, onBroken }))
  shell.err(`Harvestman listens on ${server.url} and keeps its data in ${withoutCredentials(config.store)}.\n`)
  if (isForMany(config.store) && !work)
    shell.err('This server runs no jobs: start `harvestman work` with the same store, or serve with --work.\n')
  shell.err(whoIsAnswered(config, server.url))
  started(server.url)
  return untilOver(server, broken.promise, 'running requests are finished first', shell)
}

/**
 * Runs the jobs of a shared store as a worker, until the process receives a stop signal, then resolves to the exit code.
 * Rejects if the configuration is invalid or the store cannot be opened. After an unexpected error, the process exits.
 */
export async function work({ config: file, ...given }: WorkFlags, shell: Shell): Promise<number> {
  const { config: read, origins } = readConfig(sources(file, { ...given }, shell))
  // The worker's port only serves health checks, so its default is not the API's port.
  const config = onDisk(origins.port === undefined ? { ...read, port: 0 } : read)
  const broken = Promise.withResolvers<true>()
  const onBroken = (): void => broken.resolve(true)
  const worker = await onStore(config, () => openWorker(config, { write: shell.err, onBroken }))
  shell.err(
    `Harvestman works on the jobs in ${withoutCredentials(config.store)}; ${worker.url}/health tells how it is.\n`,
  )
  return untilOver(worker, broken.promise, 'running work is handed over to other workers', shell)
}

// Maximum milliseconds that a broken process has to close.
const maxClosing = 20_000

/** Closes the server on a stop signal, or after an unexpected error, when the state of the process is unknown. */
async function untilOver(
  server: { close(): Promise<void> },
  broken: Promise<true>,
  what: string,
  shell: Shell,
): Promise<number> {
  const isBroken = await Promise.race([nextSignal(['SIGINT', 'SIGTERM']), broken])
  if (!isBroken) {
    shell.err(`Stopping: ${what}.\n`)
    await server.close()
    return exitCodes.done
  }
  shell.err(`An unexpected error occurred (see the log). Exiting, to be restarted: ${what}.\n`)
  setTimeout(() => process.exit(exitCodes.fault), maxClosing).unref()
  await server.close().catch(() => undefined)
  // Open handles must not keep the process alive.
  process.exit(exitCodes.fault)
}

function whoIsAnswered({ apiKeys, adminKey }: Config, url: string): string {
  if (apiKeys.length > 0) return ''
  return adminKey === undefined
    ? 'No API key is configured, so only requests from this machine are accepted. Set HARVESTMAN_API_KEY to allow others.\n'
    : `Callers need the API key of a team. Create one with the admin key: ${url}/#/keys\n`
}
