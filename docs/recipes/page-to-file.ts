// Saves the content of a page as a Markdown file.
import { writeFile } from 'node:fs/promises'

import { createEngine } from '@harvestman/core'

const [url = 'https://example.com', file = 'page.md'] = process.argv.slice(2)
const engine = createEngine()
const { markdown, metadata } = await engine.scrape({ url })
await writeFile(file, `# ${metadata.title ?? url}\n\n${markdown}\n`)
console.log(`${file}: ${metadata.title}`)
await engine.close()
