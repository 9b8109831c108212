// One life of an engine, to be killed: opens a crawl or goes on with what is there, until the job has ended
// and its receiver has heard of that.
import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'

const [file = '', url = '', receiver = '', id] = process.argv.slice(2)
const store = sqliteStore(file)
const engine = createEngine({ store, allowPrivate: ['127.0.0.0/8'] })
const job = id
  ? await engine.jobs.find(id)
  : await engine.crawl({ url, limit: 1_000, maxConcurrency: 4, webhook: receiver })
process.stdout.write(`${job.id}\n`)
await job.end()
while (!((await (await fetch(`${receiver}${job.id}`)).json()) as boolean)) await new Promise((go) => setTimeout(go, 20))
await engine.close()
await store.close()
