// Crawls one page at a time with a pause, and skips parts of the site.
import { createEngine } from '@harvestman/core'

const [url = 'https://example.com/docs/'] = process.argv.slice(2)
const engine = createEngine()
const crawl = await engine.crawl({ url, delay: 0.1, maxConcurrency: 1, excludePaths: ['/old/'], maxDiscoveryDepth: 3 })
await crawl.end()
for await (const { outcome, url: address, reason } of crawl.explain()) console.log(outcome, address, reason ?? '')
await engine.close()
