// Starts the server: npm start. Its settings are in .env.
import { createEngine } from '@harvestman/core'

import { start } from './server.ts'

const { HARVESTMAN_API_KEY: key, PORT = '3000', HOST = '127.0.0.1', ALLOW_PRIVATE } = process.env
if (!key) throw new Error('Set HARVESTMAN_API_KEY in .env to the key that requests must send.')

const engine = createEngine({
  // Private networks that may be scraped, such as 127.0.0.1/32:8080. Default: none.
  allowPrivate: ALLOW_PRIVATE?.split(',') ?? [],
})
const server = await start({ engine, key, host: HOST, port: Number(PORT) })
console.log(`Listening on ${server.url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close())
