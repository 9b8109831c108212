// A pool of 10 proxies beside a round robin over the same ones, all on loopback: node test/bench/proxies.ts [pages] [rounds]
// Three proxies are dead, two are blocked by one of the two hosts, two are slow. Prints ratios of the pool to the round robin.
import { AsyncLocalStorage } from 'node:async_hooks'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine, staticProxies, type Engine } from '@harvestman/core'
import type { Proxies } from '@harvestman/ports'

import { given, median, tellRatios } from './ratios.ts'

const pages = Number(given[0] ?? 400)
const rounds = Number(given[1] ?? 3)
const concurrency = 8
const slowness = 300
const html = '<main><h1>Page</h1><p>Words that are long enough to be taken for the text of this page.</p></main>'

const kinds = ['good', 'good', 'good', 'dead', 'dead', 'dead', 'blocked', 'blocked', 'slow', 'slow'] as const

async function listen(server: http.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** The host `strict.test` blocks proxies whose requests name them as blocked, as hosts block IP addresses. */
const site = http.createServer(({ headers }, response) => {
  const isBlocked = headers.host?.startsWith('strict.test') && headers['x-exit'] === 'blocked'
  response.writeHead(isBlocked ? 403 : 200, { 'content-type': 'text/html' }).end(isBlocked ? 'No.' : html)
})
const sitePort = await listen(site)

const servers: http.Server[] = [site]
const urls: string[] = []
for (const kind of kinds) {
  const proxy = http.createServer(({ url = '', headers }, response) => {
    const { pathname } = new URL(url)
    const ask = (): void =>
      void http
        .get(
          { host: '127.0.0.1', port: sitePort, path: pathname, headers: { ...headers, 'x-exit': kind } },
          (answer) => {
            response.writeHead(answer.statusCode ?? 502, answer.headers)
            answer.pipe(response)
          },
        )
        .on('error', () => response.destroy())
    if (kind === 'slow') setTimeout(ask, slowness)
    else ask()
  })
  const port = await listen(proxy)
  urls.push(`http://user:word@127.0.0.1:${port}`)
  if (kind === 'dead') await new Promise((resolve) => proxy.close(resolve))
  else servers.push(proxy)
}

const page = new AsyncLocalStorage<{ isPicked: boolean }>()

/** What a list without health does. A page has one proxy, also if it is down. */
function roundRobin(hasRetries: boolean): Proxies {
  let turn = 0
  return {
    pick: async () => {
      const own = page.getStore()
      if (own?.isPicked === true && !hasRetries) throw new Error('one proxy for each page')
      if (own) own.isPicked = true
      return { url: urls[turn++ % urls.length]! }
    },
  }
}

const contenders: Readonly<Record<string, () => Proxies>> = {
  'round robin': () => roundRobin(false),
  'round robin, another if one is down': () => roundRobin(true),
  pool: () => staticProxies({ basic: urls }),
}

interface Result {
  /** Share of the pages. */
  readonly failed: number
  /** Milliseconds of a good page. */
  readonly mean: number
  readonly p95: number
}

async function scrapePage(engine: Engine, index: number): Promise<{ isGood: boolean; ms: number }> {
  const host = index % 2 === 0 ? 'strict.test' : 'free.test'
  const began = performance.now()
  const isGood = await page.run({ isPicked: false }, () =>
    engine.scrape({ url: `http://${host}:8080/${index}`, formats: ['rawHtml'] }).then(
      ({ metadata }) => metadata.statusCode === 200,
      () => false,
    ),
  )
  return { isGood, ms: performance.now() - began }
}

async function run(proxies: Proxies): Promise<Result> {
  await using engine = createEngine({
    allowPrivate: ['127.0.0.0/8'],
    resolver: async () => [{ address: '127.0.0.1', family: 4 }],
    proxies,
  })
  await engine.scrape({ url: 'http://warm.test:8080/' }).catch(() => undefined)
  const results: { isGood: boolean; ms: number }[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < pages) results.push(await scrapePage(engine, next++))
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  // Failed pages end early, so their times say nothing.
  const good = results.filter(({ isGood }) => isGood)
  const times = good.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return {
    failed: 1 - good.length / pages,
    mean: times.reduce((sum, ms) => sum + ms, 0) / times.length,
    p95: times[Math.floor(times.length * 0.95)] ?? Number.NaN,
  }
}

const all = new Map<string, Result[]>(Object.keys(contenders).map((name) => [name, []]))
for (let round = 0; round < rounds; round += 1) {
  for (const [name, make] of Object.entries(contenders)) all.get(name)?.push(await run(make()))
}
for (const server of servers) {
  server.closeAllConnections()
  server.close()
}

const middle = (name: string, value: keyof Result): number => median((all.get(name) ?? []).map((one) => one[value]))
console.log(
  `${pages} pages, ${concurrency} at once; 10 proxies: 3 dead, 2 blocked by one of 2 hosts, 2 slow (${slowness} ms)`,
)
for (const name of all.keys()) {
  const [failed, mean, p95] = (['failed', 'mean', 'p95'] as const).map((value) => middle(name, value))
  const times = (['mean', 'p95'] as const).map(
    (value) => `${value} ×${(middle(name, value) / middle('round robin', value)).toFixed(2)}`,
  )
  console.log(
    `${name}: ${((1 - failed!) * 100).toFixed(1)} % of the pages, ${times.join(', ')} (${mean?.toFixed(0)} ms, ${p95?.toFixed(0)} ms)`,
  )
}
tellRatios({
  'failed pages, pool over round robin': middle('pool', 'failed') / middle('round robin', 'failed'),
  'mean latency, pool over round robin': middle('pool', 'mean') / middle('round robin', 'mean'),
})
