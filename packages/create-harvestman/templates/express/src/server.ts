// The Express app, with the web API under /web.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import type { Engine } from '@harvestman/core'
import { apiKeys, attachWebSockets, createApi, gracefulClose, toNodeHandler } from '@harvestman/http'
import express from 'express'

export interface Settings {
  readonly engine: Engine
  readonly key: string
  readonly host: string
  readonly port: number
}

/** Starts the server. `close` stops it and closes the engine. Rejects if the port cannot be opened. */
export async function start({ engine, key, host, port }: Settings) {
  const api = createApi(engine, { authenticate: apiKeys(key), basePath: '/web' })
  const app = express()
  app.use('/web', toNodeHandler(api))
  app.get('/', (_, response) => void response.send('The app itself.'))

  const server = app.listen(port, host)
  const sockets = attachWebSockets(server, api)
  const close = gracefulClose(server, { sockets, owns: [engine] })
  if (!server.listening) await once(server, 'listening')
  return { url: `http://${host}:${(server.address() as AddressInfo).port}`, close }
}
