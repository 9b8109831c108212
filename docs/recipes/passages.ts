// Splits the pages of a site into chunks for a vector store. Each chunk has its headings and a link to its place.
import { createEngine } from '@harvestman/core'
import { data } from '@harvestman/data'

const [url = 'https://example.com/docs/'] = process.argv.slice(2)
const engine = createEngine({ plugins: [data()] })
const formats = [{ type: 'chunks', size: 400, overlap: 40, by: 'heading' }] as const
const crawl = await engine.crawl({ url, limit: 100, scrapeOptions: { formats } })
for await (const { chunks } of crawl.documents()) {
  for (const { id, url, headings, text } of chunks) console.log(JSON.stringify({ id, url, headings, text }))
}
await engine.close()
