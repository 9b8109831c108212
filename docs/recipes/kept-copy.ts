// Uses a cached copy that is younger than an hour, or loads the page.
import { createEngine } from '@harvestman/core'

const [url = 'https://example.com'] = process.argv.slice(2)
const engine = createEngine()
const request = { url, maxAge: 3_600_000 }
const first = await engine.scrape(request)
const second = await engine.scrape(request)
console.log(first.metadata.cacheState, second.metadata.cacheState)
await engine.close()
