// Lists the URLs of a site, selects some, and loads only these.
import { createEngine } from '@harvestman/core'

const [url = 'https://example.com'] = process.argv.slice(2)
const engine = createEngine()
const { links } = await engine.map({ url, limit: 1_000 })
const wanted = links.map((link) => link.url).filter((address) => new URL(address).pathname.startsWith('/docs'))
const batch = await engine.batch({ urls: wanted, formats: ['markdown'] })
for await (const { metadata, markdown } of batch.documents()) console.log(metadata.title, markdown.length > 0)
await engine.close()
