// Loads the server code on demand, so that callers who only open an engine do not load it.
import type { Server } from '@harvestman/http'

import type { Config } from './settings.ts'
import type { OpenOptions } from './engine-parts.ts'
import type { OpenedApi } from './opened-api.ts'

/**
 * Creates a server from a configuration and starts it. Closing it closes everything that was opened for it. Rejects if
 * the store, the port or another part cannot be opened.
 */
export async function openServer(config: Config, options: OpenOptions = {}): Promise<Server> {
  const { startServer } = await import('./server.ts')
  return startServer(config, options)
}

/**
 * Creates the HTTP API of a configuration for a single caller in this process, who needs no key. Rejects if the store
 * or another part cannot be opened.
 */
export async function openApi(config: Config, options: OpenOptions = {}): Promise<OpenedApi> {
  const { startApi } = await import('./server.ts')
  return startApi(config, options)
}

/**
 * Creates a worker from a configuration and starts it. It only serves health checks and metrics. Rejects if the store
 * or port cannot be opened.
 */
export async function openWorker(config: Config, options: OpenOptions = {}): Promise<Server> {
  const { startWorker } = await import('./server.ts')
  return startWorker(config, options)
}
