// An engine with live browsers in which code of all languages runs. It prints what it has opened, and is killed then.
import { createEngine } from '@harvestman/core'
import { live } from '@harvestman/live'
import { sqliteStore } from '@harvestman/keyv'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { localSandbox } from '@harvestman/sandbox'

const [file = '', origin = ''] = process.argv.slice(2)
const engine = createEngine({
  allowPrivate: ['127.0.0.0/8'],
  store: sqliteStore(file),
  browser: puppeteerBrowser(),
  plugins: [live({ sessions: puppeteerSessions(), sandbox: localSandbox({ bound: 'watched' }) })],
})
const scrape = async () => (await engine.scrape({ url: `${origin}/page` }, { keep: true })).metadata.scrapeId
const [opened, unopened] = [await scrape(), await scrape()]
const session = await engine.live.ofScrape(opened)
await session.run('globalThis.a = 1')
await session.run('a = 1', { language: 'python' })
await session.run('(setsid nohup sleep 98763 > /dev/null 2>&1 &)', { language: 'bash' })
void session.run('for (;;);', { timeout: 60_000 }).catch(() => undefined)
const own = await engine.live.open({ profile: { name: 'mine', saveChanges: true } })
process.stdout.write(`${JSON.stringify({ opened, unopened, own: own.id })}\n`)
setInterval(() => 0, 1_000)
