// Clicks "load more" twice before the page is read.
import { createEngine } from '@harvestman/core'
import { puppeteerBrowser } from '@harvestman/puppeteer'

const [url = 'https://example.com/list'] = process.argv.slice(2)
const engine = createEngine({ browser: puppeteerBrowser() })
const more = [
  { type: 'click', selector: '#more' },
  { type: 'wait', milliseconds: 200 },
] as const
const { markdown } = await engine.scrape({ url, actions: [...more, ...more], onlyMainContent: false })
console.log(markdown.match(/^- .*/gm)?.length, 'entries')
await engine.close()
