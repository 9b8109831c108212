// Prints the price of a crawl in advance, and limits it.
import { createEngine } from '@harvestman/core'

const [url = 'https://example.com/docs/'] = process.argv.slice(2)
const engine = createEngine()
const request = { url, limit: 100, maxCredits: 3 }
const { min, max } = engine.preview('crawl', request)
const crawl = await engine.crawl(request)
await crawl.end()
const { creditsUsed } = await crawl.status()
console.log(`from ${min} to ${max}, and it was ${creditsUsed}`)
await engine.close()
