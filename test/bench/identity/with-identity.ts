// Fetches a page with `impitFetcher` and the headers of the installed browser. node with-identity.ts <url>
import { createEngine } from '@harvestman/core'
import { puppeteerBrowser } from '@harvestman/puppeteer'
import { impitFetcher } from '@harvestman/puppeteer/impit'

const [, , url = ''] = process.argv
const allowPrivate = ['127.0.0.0/8', '::1']
await using engine = createEngine({ allowPrivate, fetcher: impitFetcher(), browser: puppeteerBrowser() })
await engine.scrape({ url })
