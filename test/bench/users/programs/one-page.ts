// Prints one page as Markdown with the library: one-page.js <URL>
import { createEngine } from '@harvestman/core'

const [url = ''] = process.argv.slice(2)
const engine = createEngine({ allowPrivate: ['127.0.0.0/8'] })
const { markdown } = await engine.scrape({ url })
console.log(markdown)
await engine.close()
