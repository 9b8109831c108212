// Fills in and submits a login form, then reads the page behind it.
import { createEngine } from '@harvestman/core'
import { puppeteerBrowser } from '@harvestman/puppeteer'

const [url = 'https://example.com/login', password = 'swordfish'] = process.argv.slice(2)
const engine = createEngine({ browser: puppeteerBrowser() })
const { markdown, metadata } = await engine.scrape({
  url,
  actions: [
    { type: 'click', selector: 'input[type=password]' },
    { type: 'write', text: password },
    { type: 'press', key: 'Enter' },
    { type: 'wait', selector: '#account' },
  ],
})
console.log(metadata.title, '|', markdown.replaceAll(/\s+/g, ' '))
await engine.close()
