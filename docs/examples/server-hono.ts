// The API under a path of a Hono app. On Node, its WebSockets are attached to the server.
import type { Server } from 'node:http'

import type { Engine } from '@harvestman/core'
import { apiKeys, attachWebSockets, createApi, gracefulClose } from '@harvestman/http'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

export function startHono(engine: Engine, keys: string, port: number) {
  const api = createApi(engine, { authenticate: apiKeys(keys), basePath: '/web' })
  const app = new Hono()
  app.all('/web/*', ({ req }) => api(req.raw))
  app.get('/', (context) => context.text('The app itself.'))
  const server = serve({ fetch: app.fetch, port }) as Server
  const sockets = attachWebSockets(server, api)
  return { server, close: gracefulClose(server, { sockets, owns: [engine] }) }
}
