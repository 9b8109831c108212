import { openServer, readConfig } from '@harvestman/node'

import { onDisk, sources } from './settings.ts'
import { exitCodes, type Shell } from './shell.ts'

export interface ServeFlags {
  readonly port?: string
  readonly host?: string
  readonly store?: string
  readonly allowPrivate?: string
  readonly config?: string
}

/** Runs the server until the process is told to stop. */
export async function serve({ config: file, ...given }: ServeFlags, shell: Shell): Promise<number> {
  const config = onDisk(readConfig(sources(file, { ...given }, shell)).config)
  const server = await openServer(config, { write: shell.err })
  shell.err(`Harvestman listens on ${server.url} and keeps its data in ${config.store}.\n`)
  if (config.apiKeys.length === 0) {
    shell.err('No key is configured, so only this machine is answered. Set HARVESTMAN_API_KEY to open it to others.\n')
  }
  await told(['SIGINT', 'SIGTERM'])
  shell.err('Stopping: running requests are finished first.\n')
  await server.close()
  return exitCodes.done
}

function told(signals: readonly NodeJS.Signals[]): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve())
  })
}
