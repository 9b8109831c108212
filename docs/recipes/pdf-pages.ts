// Converts the first pages of a PDF to Markdown. Each page costs a credit, so this also limits the price.
import { createEngine } from '@harvestman/core'
import { pdf } from '@harvestman/documents/pdf'

const [url = 'https://example.com/report.pdf'] = process.argv.slice(2)
const engine = createEngine({ plugins: [pdf()] })
const { markdown, metadata } = await engine.scrape({ url, parsers: [{ type: 'pdf', maxPages: 2 }] })
console.log(metadata.numPages, 'pages', '|', markdown.split('\n')[0])
await engine.close()
