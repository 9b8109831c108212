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
  const server = await openServer(config, { write: shell.err, works: work })
  shell.err(`Harvestman listens on ${server.url} and keeps its data in ${shownAddress(config.store)}.\n`)
  if (isForMany(config.store) && !work)
    shell.err('Jobs are left to workers: start `harvestman work` with the same store, or serve with --work.\n')
  shell.err(whoIsAnswered(config, server.url))
  started(server.url)
  await told(['SIGINT', 'SIGTERM'])
  shell.err('Stopping: running requests are finished first.\n')
  await server.close()
  return exitCodes.done
}

/** Works on the jobs of a store that others serve, until the process is told to stop. */
export async function work({ config: file, ...given }: WorkFlags, shell: Shell): Promise<number> {
  const { config: read, origins } = readConfig(sources(file, { ...given }, shell))
  // Its port only tells of its health, so it is another one than that of the API.
  const config = onDisk(origins.port === undefined ? { ...read, port: 0 } : read)
  const worker = await openWorker(config, { write: shell.err })
  shell.err(`Harvestman works on the jobs in ${shownAddress(config.store)}; ${worker.url}/health tells how it is.\n`)
  await told(['SIGINT', 'SIGTERM'])
  shell.err('Stopping: what is under way is given back to other workers.\n')
  await worker.close()
  return exitCodes.done
}

function whoIsAnswered({ apiKeys, adminKey }: Config, url: string): string {
  if (apiKeys.length > 0) return ''
  return adminKey === undefined
    ? 'No key is configured, so only this machine is answered. Set HARVESTMAN_API_KEY to open it to others.\n'
    : `Callers need the key of a team. Make one with the admin key: ${url}/#/keys\n`
}
