// The server of answers.ts, which tells of itself when it is asked.
import { createEngine } from '@harvestman/core'
import { documents } from '@harvestman/documents'
import { createApi, serve } from '@harvestman/http'
import { pdf } from '@harvestman/pdf'
import { findBrowser, puppeteerBrowser } from '@harvestman/puppeteer'

import { meterSteps } from './steps.ts'

const plugins = [pdf(), documents()]
const hasBrowser = findBrowser() !== undefined
const browser = hasBrowser ? puppeteerBrowser() : undefined
const engine = createEngine({ plugins, browser, allowPrivate: ['127.0.0.0/8'], keep: { pages: 0 } })
const server = await serve(createApi(engine), { port: 0 })
const meter = meterSteps()

process.on('message', (question) => {
  process.send?.({ megabytes: Math.round(process.memoryUsage.rss() / 1e6), longest: meter.longest() })
  if (question === 'reset') meter.reset()
})
process.on('disconnect', () => process.exit())
process.send?.({ url: server.url, hasBrowser })
