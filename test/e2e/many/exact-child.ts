// A process with an engine of its own on a store that others use too: loads some pages, and tells when they are done.
//   node exact-child.ts STORE SITE-PORT TEAM-CONCURRENCY NAME PAGES
import { once } from 'node:events'

import { createEngine } from '@harvestman/core'
import { postgresStore } from '@harvestman/postgres'
import { redisStore } from '@harvestman/redis'

const [storeUrl = '', port = '', teamConcurrency = '', name = '', pages = ''] = process.argv.slice(2)
const store = storeUrl.startsWith('redis') ? redisStore(storeUrl) : postgresStore(storeUrl)
const engine = createEngine({
  store,
  allowPrivate: [`127.0.0.1/32:${port}`],
  limits: { leaseTime: 3_000, ...(teamConcurrency !== '-' && { teamConcurrency: Number(teamConcurrency) }) },
})
const urls = Array.from({ length: Number(pages) }, (_, number) => `http://127.0.0.1:${port}/${name}/${number}`)
const batch = await engine.batch({ urls, maxAge: 0, timeout: 120_000 })
process.send?.({ id: batch.id })
const { completed } = await batch.end()
process.send?.({ completed })
// The other one may need it: what it left is done here.
await once(process, 'message')
await engine.close()
await store.close()
process.disconnect()
