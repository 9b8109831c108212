// Live browsers one after the other, and eight at once beside a crawl that uses the browser: what is left of them, and what
// the crawl notices. `node --expose-gc test/bench/browser/sessions.ts [sessions]`; 100 when no number is given.
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'

import { createEngine, type Engine } from '@harvestman/core'
import { live } from '@harvestman/live'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { localSandbox } from '@harvestman/sandbox'

import { memoryOf, treeOf } from './processes.ts'

const sessions = Number(process.argv[2] ?? 100)
const pages = 40
const atOnce = 8
const collect = (globalThis as { gc?: () => void }).gc ?? (() => undefined)
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const site = createServer((request, response) => {
  const number = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0)
  const links = [1, 2].map((more) => `<a href="/${number * 2 + more}">${number * 2 + more}</a>`).join(' ')
  response.setHeader('content-type', 'text/html').end(
    `<title>Page ${number}</title><main></main><script>
      document.querySelector('main').innerHTML = '<h1>Page ${number}</h1><p>Made by a script.</p><input id=q> ${links}'</script>`,
  )
})
await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready))
const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`

const engine = createEngine({
  allowPrivate: ['127.0.0.0/8'],
  browser: puppeteerBrowser(),
  plugins: [
    live({
      sessions: puppeteerSessions(),
      sandbox: localSandbox(),
      limits: { sessions: 16, teamSessions: 16 },
    }),
  ],
})

/** What this process holds. */
async function holds() {
  // Two rounds: what the first one frees lets go of more.
  for (const _ of [1, 2]) {
    collect()
    await sleep(100)
  }
  const tree = treeOf(process.pid)
  return {
    processes: tree.length - 1,
    'memory (MB)': Math.round(memoryOf(process.pid) / 1e6),
    'heap (MB)': Math.round(process.memoryUsage().heapUsed / 1e5) / 10,
    'all memory (MB)': Math.round(tree.reduce((sum, pid) => sum + memoryOf(pid), 0) / 1e6),
    'file handles': readdirSync('/proc/self/fd').length,
    'temp folders': readdirSync(tmpdir()).filter((name) => /^harvestman-(browser|code)-/.test(name)).length,
    timers: process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length,
  }
}

/** A session as callers use it: a page, code, a step, the end. */
async function useOne(team: string, number: number): Promise<void> {
  await using session = await engine.live.open({}, { team })
  const url = `${origin}/${number}`
  const { result, error } = await session.run(`await page.goto('${url}'); await page.title()`)
  if (result !== `Page ${number}`) throw new Error(`session ${number}: ${error ?? result}`)
  const { text } = await session.snapshot()
  const ref = /textbox.*\[ref=(e\d+)\]/.exec(text)?.[1] ?? ''
  await session.act({ type: 'fill', ref, text: 'words' })
}

interface Crawled {
  readonly pages: number
  readonly failed: number
  readonly seconds: number
}

async function crawl(of: Engine): Promise<Crawled> {
  const began = performance.now()
  const scrapeOptions = { waitFor: 100, maxAge: 0 }
  const job = await of.crawl({
    url: `${origin}/`,
    limit: pages,
    sitemap: 'skip',
    ignoreRobotsTxt: true,
    scrapeOptions,
  })
  const { completed, failed } = await job.end()
  return { pages: completed, failed, seconds: Math.round((performance.now() - began) / 100) / 10 }
}

await useOne('bench', 0)
const rows: Record<string, Awaited<ReturnType<typeof holds>>> = { 'after 1': await holds() }
const began = performance.now()
for (let done = 1; done <= sessions; done++) {
  await useOne('bench', done)
  if (done % Math.max(1, Math.floor(sessions / 5)) === 0) rows[`after ${done + 1}`] = await holds()
}
console.log(`${sessions} sessions in sequence, ${Math.round((performance.now() - began) / sessions)} ms each`)
console.table(rows)

const alone = await crawl(engine)
const crawled = new AbortController()
let used = 0
const lines = Array.from({ length: atOnce }, async (_, line) => {
  for (let number = 1; !crawled.signal.aborted; number++) {
    await useOne(`team-${line % 2}`, number)
    used += 1
  }
})
const beside = await crawl(engine)
crawled.abort()
await Promise.all(lines)
console.table({ 'crawl alone': alone, [`beside ${atOnce} at once`]: beside })
console.log(
  `${used} sessions came and went beside the crawl; it took ${(beside.seconds / alone.seconds).toFixed(1)} times as long`,
)

// Browsers without a session end by themselves after a moment.
await sleep(14_000)
console.table({ 'at rest': await holds() })
await engine.close()
await sleep(500)
console.table({ 'engine closed': await holds() })
site.close()
site.closeAllConnections()
