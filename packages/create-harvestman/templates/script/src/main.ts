// Prints a page as Markdown, then the pages that it links to: npm start https://example.com
import { createEngine } from '@harvestman/core'

const [url = 'https://example.com'] = process.argv.slice(2)

await using engine = createEngine({
  // Private networks that may be scraped, such as 127.0.0.1/32:8080. Default: none.
  allowPrivate: process.env['ALLOW_PRIVATE']?.split(',') ?? [],
})

const { markdown, links, metadata } = await engine.scrape({ url, formats: ['markdown', 'links'] })
console.log(markdown)

const linked = links.filter((link) => link.startsWith('http')).slice(0, 5)
console.log(`\n${metadata.url} has ${links.length} links.`)

if (linked.length > 0) {
  const batch = await engine.batch({ urls: linked })
  for await (const page of batch.documents()) console.log(`${page.metadata.statusCode} ${page.metadata.url}`)
}
