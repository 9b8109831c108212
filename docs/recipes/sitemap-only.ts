// Loads only the pages in the sitemap of a site, and follows no links.
import { createEngine } from '@harvestman/core'

const [url = 'https://example.com'] = process.argv.slice(2)
const engine = createEngine()
const crawl = await engine.crawl({ url, sitemap: 'only', limit: 1_000 })
for await (const { metadata } of crawl.documents()) console.log(metadata.url)
await engine.close()
