// A server, and a client that calls it.
import { createClient } from '@harvestman/client'
import { createEngine } from '@harvestman/core'
import { apiKeys, createApi, serve } from '@harvestman/http'

const [url = 'https://example.com'] = process.argv.slice(2)
const engine = createEngine()
const server = await serve(createApi(engine, { authenticate: apiKeys('acme:secret') }), { port: 0 })
const harvestman = createClient({ url: server.url, key: 'secret' })
const { links, metadata } = await harvestman.scrape({ url, formats: ['links'] })
console.log(metadata.title, links.length > 0)
await server.close()
await engine.close()
