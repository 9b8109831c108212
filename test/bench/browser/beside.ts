// A crawl that uses the browser, alone and beside eight live browsers: at rest, and busy at several priorities. Each round has
// all of them, in another order. `node test/bench/browser/beside.ts [rounds] [pages]`; 3 rounds of 20 pages.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine, type Engine } from '@harvestman/core'
import { live, type Live } from '@harvestman/live'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { localSandbox } from '@harvestman/sandbox'

const rounds = Number(process.argv[2] ?? 3)
const pages = Number(process.argv[3] ?? 20)
const atOnce = 8

const site = createServer((request, response) => {
  const number = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0)
  const links = [1, 2].map((more) => `<a href="/${number * 2 + more}">${number * 2 + more}</a>`).join(' ')
  response.setHeader('content-type', 'text/html').end(
    `<title>Page ${number}</title><style>@keyframes go { to { transform: translateX(600px) } } b { display: block; animation: go 1s infinite }</style><main></main><b>moves</b><script>
      document.querySelector('main').innerHTML = '<h1>Page ${number}</h1><p>Made by a script.</p><input id=q> ${links}'</script>`,
  )
})
await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready))
const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
const allowPrivate = ['127.0.0.0/8']
const limits = { sessions: 16, teamSessions: 16 }

const crawler = createEngine({ allowPrivate, browser: puppeteerBrowser() })
const open = (nice: number, rest?: number): Engine & { readonly live: Live } =>
  createEngine({
    allowPrivate,
    browser: puppeteerBrowser(),
    plugins: [live({ sessions: puppeteerSessions({ nice, rest }), sandbox: localSandbox({ nice }), limits })],
  })

async function crawl(): Promise<number> {
  const began = performance.now()
  const job = await crawler.crawl({
    url: `${origin}/`,
    limit: pages,
    sitemap: 'skip',
    ignoreRobotsTxt: true,
    scrapeOptions: { waitFor: 100, maxAge: 0 },
  })
  const { failed } = await job.end()
  if (failed > 0) throw new Error(`${failed} pages failed`)
  return (performance.now() - began) / 1_000
}

async function besideResting(): Promise<number> {
  const engine = open(5, 500)
  for (let number = 0; number < atOnce; number++) {
    const session = await engine.live.open({}, { team: `team-${number % 2}` })
    await session.act({ type: 'goto', url: `${origin}/${number}` })
  }
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const seconds = await crawl()
  await engine.close()
  return seconds
}

/** Gives too how long a step of a busy live browser takes, half of them less. */
async function besideBusy(
  nice: number,
): Promise<{ readonly seconds: number; readonly step: number; readonly used: number }> {
  const engine = open(nice)
  const over = new AbortController()
  const steps: number[] = []
  let used = 0
  const { promise: busy, resolve: isBusy } = Promise.withResolvers<void>()
  const lines = Array.from({ length: atOnce }, async (_, line) => {
    for (let number = 1; !over.signal.aborted; number++) {
      await using session = await engine.live.open({}, { team: `team-${line % 2}` })
      await session.run(`await page.goto('${origin}/${number}'); await page.title()`, { timeout: 60_000 })
      const began = performance.now()
      await session.snapshot()
      await session.act({ type: 'scroll', direction: 'down' })
      steps.push(performance.now() - began)
      used += 1
      isBusy()
    }
  })
  await busy
  const seconds = await crawl()
  over.abort()
  await Promise.all(lines)
  await engine.close()
  steps.sort((one, other) => one - other)
  return { seconds, step: steps[Math.floor(steps.length / 2)] ?? NaN, used }
}

const ways: Readonly<Record<string, () => Promise<{ seconds: number; step?: number; used?: number }>>> = {
  alone: async () => ({ seconds: await crawl() }),
  'beside 8 at rest': async () => ({ seconds: await besideResting() }),
  'beside 8 busy, nice 0': () => besideBusy(0),
  'beside 8 busy, nice 5': () => besideBusy(5),
  'beside 8 busy, nice 10': () => besideBusy(10),
}

await crawl()
const rows: Record<string, { seconds: number; step?: number; used?: number }[]> = {}
for (let round = 0; round < rounds; round++) {
  const names = Object.keys(ways)
  for (const name of round % 2 === 0 ? names : names.toReversed()) (rows[name] ??= []).push(await ways[name]!())
}
const middle = (numbers: readonly number[]): number =>
  Math.round((numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? NaN) * 10) / 10
const alone = middle((rows['alone'] ?? []).map(({ seconds }) => seconds))
console.table(
  Object.fromEntries(
    Object.entries(rows).map(([name, all]) => [
      name,
      {
        'crawl (s)': middle(all.map(({ seconds }) => seconds)),
        'times as long': Math.round((middle(all.map(({ seconds }) => seconds)) / alone) * 10) / 10,
        'a step (ms)': middle(all.map(({ step = NaN }) => step)),
        sessions: middle(all.map(({ used = NaN }) => used)),
      },
    ]),
  ),
)
await crawler.close()
site.close()
site.closeAllConnections()
