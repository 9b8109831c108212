// Saves a screenshot of a whole page in a mobile viewport.
import { writeFile } from 'node:fs/promises'

import { createEngine } from '@harvestman/core'
import { puppeteerBrowser } from '@harvestman/puppeteer'

const [url = 'https://example.com', file = 'page.png'] = process.argv.slice(2)
const engine = createEngine({ browser: puppeteerBrowser() })
const { screenshot } = await engine.scrape({ url, mobile: true, formats: [{ type: 'screenshot', fullPage: true }] })
const bytes = Buffer.from(screenshot.slice(screenshot.indexOf(',') + 1), 'base64')
await writeFile(file, bytes)
console.log(`${file}: ${bytes.toString('latin1', 1, 4)}`)
await engine.close()
