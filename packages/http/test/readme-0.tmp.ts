import { createEngine } from '@harvestman/core'
import { apiKeys, createApi, serve } from '@harvestman/http'

const engine = createEngine()
const api = createApi(engine, { authenticate: apiKeys('acme:secret-one, other:secret-two') })
const server = await serve(api, { port: 3002, host: '0.0.0.0' })
console.log(server.url)

process.once('SIGTERM', () => {
  void server.close().then(() => engine.close())
})
