// Starts a crawl, or continues it when run again: with a store on disk, a crawl survives the end of its process.
import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'

const [url = 'https://example.com/docs/', file = 'harvestman.sqlite'] = process.argv.slice(2)
const store = sqliteStore(file)
const engine = createEngine({ store })
// The same key and request return the same crawl in every process.
const crawl = await engine.crawl({ url, limit: 500 }, { idempotencyKey: `docs of ${url}` })
await crawl.end()
const { completed, total } = await crawl.status()
console.log(`${completed} of ${total} pages`)
await engine.close()
await store.close()
