// Checks every link of a page, and prints the broken ones.
import { createEngine } from '@harvestman/core'

const [url = 'https://example.com'] = process.argv.slice(2)
const engine = createEngine()
const { links } = await engine.scrape({ url, formats: ['links'], onlyMainContent: false })
const batch = await engine.batch({ urls: links, ignoreInvalidURLs: true, formats: ['links'] })
for await (const { metadata } of batch.documents()) {
  if ((metadata.statusCode ?? 0) >= 400) console.log(metadata.statusCode, metadata.sourceURL)
}
for (const { url: failed, code } of (await batch.errors()).errors) console.log(code, failed)
await engine.close()
