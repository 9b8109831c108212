// Reads the first pages of a PDF as Markdown. A PDF costs a credit a page, so the bound is also one of price.
import { createEngine } from '@harvestman/core'
import { pdf } from '@harvestman/documents/pdf'

const [url = 'https://example.com/report.pdf'] = process.argv.slice(2)
const engine = createEngine({ plugins: [pdf()] })
const { markdown, metadata } = await engine.scrape({ url, parsers: [{ type: 'pdf', maxPages: 2 }] })
console.log(metadata.numPages, 'pages', '|', markdown.split('\n')[0])
await engine.close()
