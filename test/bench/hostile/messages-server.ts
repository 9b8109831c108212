// The server of messages.ts: it opens a live browser for each time that it is asked, and tells of its main thread.
import { createEngine } from '@harvestman/core'
import { live, type LiveSession } from '@harvestman/live'
import { createApi, serve } from '@harvestman/http'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'

import { meterSteps } from './steps.ts'

const engine = createEngine({ browser: puppeteerBrowser(), plugins: [live({ sessions: puppeteerSessions() })] })
const server = await serve(createApi(engine, { onFault: (fault) => console.error('fault', fault) }), { port: 0 })
const meter = meterSteps()

let last: LiveSession | undefined
const open = async (): Promise<string> => {
  await last?.stop()
  last = await engine.live.open({ ttl: 3_600, activityTtl: 3_600 })
  const { id, tokens } = last
  return `${server.url.replace('http', 'ws')}/cdp/${id}?token=${tokens.cdp}`
}
process.on('message', (question) => {
  if (question === 'open') return void open().then((url) => process.send?.({ url }))
  process.send?.({ megabytes: Math.round(process.memoryUsage.rss() / 1e6), longest: meter.longest() })
  if (question === 'reset') meter.reset()
})
process.on('disconnect', () => process.exit())
process.send?.({ url: server.url })
