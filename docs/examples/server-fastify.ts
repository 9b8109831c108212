// The API under a path of a Fastify app, with its WebSockets.
import type { Engine } from '@harvestman/core'
import { apiKeys, attachWebSockets, createApi, gracefulClose, toNodeHandler } from '@harvestman/http'
import Fastify from 'fastify'

export async function startFastify(engine: Engine, keys: string, port: number) {
  const api = createApi(engine, { authenticate: apiKeys(keys), basePath: '/web' })
  const handle = toNodeHandler(api)
  const app = Fastify()
  await app.register((scope, _, done) => {
    // The API reads bodies itself, so Fastify must not parse them here.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    scope.all('/web/*', (request, reply) => {
      reply.hijack()
      handle(request.raw, reply.raw)
    })
    done()
  })
  app.get('/', () => 'The app itself.')
  await app.listen({ port })
  const sockets = attachWebSockets(app.server, api)
  return { server: app.server, close: gracefulClose(app.server, { sockets, owns: [engine] }) }
}
