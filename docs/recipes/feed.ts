// Follows the events of a crawl, and cancels it after some pages.
import { createEngine } from '@harvestman/core'

const [url = 'https://example.com/docs/'] = process.argv.slice(2)
const engine = createEngine()
const crawl = await engine.crawl({ url, limit: 1_000, maxConcurrency: 1, delay: 0.1 })
let pages = 0
for await (const event of crawl.events()) {
  if (event.type !== 'page') continue
  pages += 1
  if (pages === 2) await crawl.cancel()
}
console.log((await crawl.status()).status)
await engine.close()
