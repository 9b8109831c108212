// Crawls a site with chunkChanges, or continues a crawl, prints its id, and then the changes of each page. May be killed before.
// node chunk-changes-child.ts <store> <URL of the site> [id of the crawl]
import { createEngine } from '@harvestman/core'
import { data } from '@harvestman/data'
import { sqliteStore } from '@harvestman/keyv'

const [file = '', url = '', id] = process.argv.slice(2)
await using store = { own: sqliteStore(file), [Symbol.asyncDispose]: () => store.own.close() }
await using engine = createEngine({
  ...{ store: store.own, plugins: [data()], allowPrivate: ['127.0.0.0/8'] },
  limits: { leaseTime: 1_000 },
})
const start = () =>
  engine.crawl({ url, maxConcurrency: 2, scrapeOptions: { formats: [{ type: 'chunkChanges', by: 'heading' }] } })
const job = id === undefined ? await start() : await engine.jobs.find(id)
process.stdout.write(`${JSON.stringify(job.id)}\n`)
for await (const change of engine.chunks.changesOf(job.id)) process.stdout.write(`${JSON.stringify(change)}\n`)
