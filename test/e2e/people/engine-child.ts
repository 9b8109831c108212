// An engine that crawls pages of members, and prints the job as soon as it waits for a person. It is killed then.
import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'
import { live } from '@harvestman/live'
import { people } from '@harvestman/live/people'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'

setInterval(() => 0, 1_000)
const [file = '', origin = '', limit = ''] = process.argv.slice(2)
const needed = Promise.withResolvers<string>()
const engine = createEngine({
  allowPrivate: ['127.0.0.0/8'],
  store: sqliteStore(file),
  secretKey: 'a key of this test',
  browser: puppeteerBrowser(),
  robots: 'never',
  limits: { leaseTime: 2_000 },
  plugins: [live({ sessions: puppeteerSessions() }), people({ onNeeded: ({ id }) => needed.resolve(id) })],
})
const job = await engine.crawl({
  url: `${origin}/`,
  limit: Number(limit),
  scrapeOptions: { profile: { name: 'members' }, person: { timeout: 3_600 } },
})
process.stdout.write(`${JSON.stringify({ job: job.id, request: await needed.promise })}\n`)
