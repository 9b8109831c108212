// Takes up a crawl that another process left lying: go-on.ts <file of the store> <id of the crawl> <address of the site>.
// Tells its parent how long that took, the longest time in which nothing else could happen, and the most memory it had.
import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'

const pollInterval = 5
const [file = '', id = '', url = ''] = process.argv.slice(2)
const visits = async (): Promise<number> => Number(await (await fetch(`${url}visits`)).text())

const before = await visits()
let stall = 0
let last = performance.now()
const looking = setInterval(() => {
  const now = performance.now()
  stall = Math.max(stall, now - last - pollInterval)
  last = now
}, pollInterval)
const store = sqliteStore(file)
const engine = createEngine({ store, allowPrivate: ['127.0.0.0/8'] })
const start = performance.now()
const crawl = await engine.jobs.findCrawl(id)
while ((await visits()) <= before) await new Promise((resolve) => setTimeout(resolve, 50))
const took = performance.now() - start
clearInterval(looking)
const { total } = await crawl.status()
process.send?.({
  total,
  took: Math.round(took),
  stall: Math.round(stall),
  // The most there ever was, as the system counted it, in kilobytes.
  memory: Math.round((process.resourceUsage().maxRSS * 1024) / 1e6),
})
await engine.close()
await store.close()
process.disconnect()
