// The API under a path of an Express app, with its WebSockets.
import type { Engine } from '@harvestman/core'
import { apiKeys, attachWebSockets, createApi, gracefulClose, toNodeHandler } from '@harvestman/http'
import express from 'express'

export function startExpress(engine: Engine, keys: string, port: number) {
  const api = createApi(engine, { authenticate: apiKeys(keys), basePath: '/web' })
  const app = express()
  app.use('/web', toNodeHandler(api))
  app.get('/', (_, response) => void response.send('The app itself.'))
  const server = app.listen(port)
  const sockets = attachWebSockets(server, api)
  return { server, close: gracefulClose(server, { sockets, owns: [engine] }) }
}
