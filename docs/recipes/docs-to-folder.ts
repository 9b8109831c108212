// Crawls documentation into a folder, with one Markdown file per page.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { createEngine } from '@harvestman/core'

const [url = 'https://example.com/docs/', folder = 'pages'] = process.argv.slice(2)
await mkdir(folder, { recursive: true })
const engine = createEngine()
const crawl = await engine.crawl({ url, limit: 500 })
for await (const { markdown, metadata } of crawl.documents()) {
  const { pathname } = new URL(metadata.url ?? url)
  const name = pathname.replaceAll('/', '_').replace(/^_+|_+$/g, '') || 'index'
  await writeFile(join(folder, `${name}.md`), markdown)
  console.log(name)
}
await engine.close()
