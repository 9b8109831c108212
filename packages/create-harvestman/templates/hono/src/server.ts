// The Hono app, with the web API under /web.
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Engine } from '@harvestman/core'
import { apiKeys, attachWebSockets, createApi, gracefulClose } from '@harvestman/http'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

export interface Settings {
  readonly engine: Engine
  readonly key: string
  readonly host: string
  readonly port: number
}

/** Starts the server. `close` stops it and closes the engine. Rejects if the port cannot be opened. */
export async function start({ engine, key, host, port }: Settings) {
  const api = createApi(engine, { authenticate: apiKeys(key), basePath: '/web' })
  const app = new Hono()
  app.all('/web/*', ({ req }) => api(req.raw))
  app.get('/', (context) => context.text('The app itself.'))

  const server = serve({ fetch: app.fetch, hostname: host, port }) as Server
  const sockets = attachWebSockets(server, api)
  const close = gracefulClose(server, { sockets, owns: [engine] })
  if (!server.listening) await once(server, 'listening')
  return { url: `http://${host}:${(server.address() as AddressInfo).port}`, close }
}
