// Who opens an engine alone loads nothing of what a server has beside it.
import type { Server } from '@harvestman/http'

import type { Config } from './config.ts'
import type { OpenOptions } from './open.ts'
import type { OpenedApi } from './opened-api.ts'

/** Puts a server together from a configuration, and starts it. Closing it closes all that was opened for it. */
export async function openServer(config: Config, options: OpenOptions = {}): Promise<Server> {
  const { startServer } = await import('./server.ts')
  return startServer(config, options)
}

/** Puts a web API together from a configuration, for one caller in this process, who needs no key. */
export async function openApi(config: Config, options: OpenOptions = {}): Promise<OpenedApi> {
  const { startApi } = await import('./server.ts')
  return startApi(config, options)
}

/** Puts a worker together from a configuration, and starts it: it answers nothing but whether it lives and is ready. */
export async function openWorker(config: Config, options: OpenOptions = {}): Promise<Server> {
  const { startWorker } = await import('./server.ts')
  return startWorker(config, options)
}
