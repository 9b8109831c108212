// The Fastify app, with the web API under /web.
import type { Engine } from '@harvestman/core'
import { apiKeys, attachWebSockets, createApi, gracefulClose, toNodeHandler } from '@harvestman/http'
import Fastify from 'fastify'

export interface Settings {
  readonly engine: Engine
  readonly key: string
  readonly host: string
  readonly port: number
}

/** Starts the server. `close` stops it and closes the engine. Rejects if the port cannot be opened. */
export async function start({ engine, key, host, port }: Settings) {
  const api = createApi(engine, { authenticate: apiKeys(key), basePath: '/web' })
  const handle = toNodeHandler(api)
  const app = Fastify()
  await app.register((scope, _, done) => {
    // The API reads request bodies itself, so Fastify must not parse them under this path.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    scope.all('/web/*', (request, reply) => {
      reply.hijack()
      handle(request.raw, reply.raw)
    })
    done()
  })
  app.get('/', () => 'The app itself.')

  const sockets = attachWebSockets(app.server, api)
  const close = gracefulClose(app.server, { sockets, owns: [engine] })
  return { url: await app.listen({ host, port }), close }
}
