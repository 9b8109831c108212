import { isForMany, openServer, openWorker, readConfig, shownAddress, type Config } from '@harvestman/node'

import { onDisk, sources } from './settings.ts'
import { exitCodes, type Shell } from './shell.ts'
import { told } from './told.ts'

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

/** Runs the server until the process is told to stop. */
export async function serve(
  { config: file, work, ...given }: ServeFlags,
  shell: Shell,
  started: (url: string) => void = () => undefined,
): Promise<number> {
  const config = onDisk(readConfig(sources(file, { ...given }, shell)).config)
  const broken = Promise.withResolvers<true>()
  const onBroken = (): void => broken.resolve(true)
  const server = await openServer(config, { write: shell.err, works: work, onBroken })
  shell.err(`Harvestman listens on ${server.url} and keeps its data in ${shownAddress(config.store)}.\n`)
  if (isForMany(config.store) && !work)
    shell.err('Jobs are left to workers: start `harvestman work` with the same store, or serve with --work.\n')
  shell.err(whoIsAnswered(config, server.url))
  started(server.url)
  return untilOver(server, broken.promise, 'running requests are finished first', shell)
}

/** Works on the jobs of a store that others serve, until the process is told to stop. */
export async function work({ config: file, ...given }: WorkFlags, shell: Shell): Promise<number> {
  const { config: read, origins } = readConfig(sources(file, { ...given }, shell))
  // Its port only tells of its health, so it is another one than that of the API.
  const config = onDisk(origins.port === undefined ? { ...read, port: 0 } : read)
  const broken = Promise.withResolvers<true>()
  const onBroken = (): void => broken.resolve(true)
  const worker = await openWorker(config, { write: shell.err, onBroken })
  shell.err(`Harvestman works on the jobs in ${shownAddress(config.store)}; ${worker.url}/health tells how it is.\n`)
  return untilOver(worker, broken.promise, 'what is under way is given back to other workers', shell)
}

// What holds up the end of a process that is broken is not waited for.
const mostOfBroken = 20_000

/** Closes it when the process is told to stop, and when something broke whose extent is unknown. */
async function untilOver(
  server: { close(): Promise<void> },
  broken: Promise<true>,
  what: string,
  shell: Shell,
): Promise<number> {
  const isBroken = await Promise.race([told(['SIGINT', 'SIGTERM']), broken])
  if (!isBroken) {
    shell.err(`Stopping: ${what}.\n`)
    await server.close()
    return exitCodes.done
  }
  shell.err(`An unexpected error occurred (see the log). Exiting, to be restarted: ${what}.\n`)
  setTimeout(() => process.exit(exitCodes.fault), mostOfBroken).unref()
  await server.close().catch(() => undefined)
  // What it has left open must not keep the process.
  process.exit(exitCodes.fault)
}

function whoIsAnswered({ apiKeys, adminKey }: Config, url: string): string {
  if (apiKeys.length > 0) return ''
  return adminKey === undefined
    ? 'No key is configured, so only this machine is answered. Set HARVESTMAN_API_KEY to open it to others.\n'
    : `Callers need the key of a team. Make one with the admin key: ${url}/#/keys\n`
}
