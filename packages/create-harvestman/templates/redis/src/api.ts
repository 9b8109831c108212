// Starts the web API: npm start. It starts jobs, and workers run them.
import { apiKeys, createApi, serve } from '@harvestman/http'

import { openEngine } from './engine.ts'

const { HARVESTMAN_API_KEY: key, PORT = '3000', HOST = '127.0.0.1' } = process.env
if (!key) throw new Error('Set HARVESTMAN_API_KEY in .env to the key that requests must send.')

const { engine, store, queue } = openEngine({ works: false })
const api = createApi(engine, { authenticate: apiKeys(key) })
const server = await serve(api, { host: HOST, port: Number(PORT), owns: [engine, queue, store] })
console.log(`Listening on ${server.url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close())
