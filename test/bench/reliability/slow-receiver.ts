// What a receiver of webhooks that is slow costs the engine: memory, and the time of scrapes that are made meanwhile.
// node --expose-gc test/bench/reliability/slow-receiver.ts [events: 10000] [events a second: 100] [seconds: 20]
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine, type Engine } from '@harvestman/core'

const [pages = 10_000, perSecond = 100, seconds = 20] = process.argv.slice(2).map(Number)

async function listen(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((done) => server.close(() => done()).closeAllConnections()),
  }
}

/** Takes one message after another, each for as long as it must. */
function slowly(): { readonly listener: RequestListener; readonly count: () => number } {
  let [free, count] = [0, 0]
  return {
    count: () => count,
    listener: (request, response) => {
      request.resume().on('end', () => {
        free = Math.max(free, performance.now()) + 1000 / perSecond
        setTimeout(() => response.end('ok', () => (count += 1)), free - performance.now())
      })
    },
  }
}

async function scrapeTimes(engine: Engine, url: string, length: number): Promise<number[]> {
  const times: number[] = []
  for (const end = performance.now() + length; performance.now() < end;) {
    const start = performance.now()
    await engine.scrape({ url, formats: ['markdown'] })
    times.push(performance.now() - start)
    await new Promise((go) => setTimeout(go, 20))
  }
  return times.toSorted((a, b) => a - b)
}

const at = (times: readonly number[], share: number): string =>
  (times[Math.floor(times.length * share)] ?? 0).toFixed(1)
const memory = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().rss / 1e6
}

const site = await listen((_, response) => {
  const text = `<title>A page</title><main><p>${'Words of a page. '.repeat(60)}</p></main>`
  response.writeHead(200, { 'content-type': 'text/html' }).end(text)
})
const slow = slowly()
const receiver = await listen(slow.listener)
const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], limits: { concurrency: 64, teamConcurrency: 64 } })
const urls = Array.from({ length: pages }, (_, number) => `${site.url}/${number}`)
const job = await engine.batch({ urls, webhook: receiver.url, formats: ['markdown'] })
await job.end()
const told = slow.count()
const before = memory()
const meanwhile = await scrapeTimes(engine, `${site.url}/one`, seconds * 1000)
const grown = memory() - before
const { pending } = await job.webhook()
const sent = slow.count()
await engine.close()
const plain = createEngine({ allowPrivate: ['127.0.0.0/8'] })
const alone = await scrapeTimes(plain, `${site.url}/one`, (seconds * 1000) / 2)
await plain.close()
await receiver.close()
await site.close()

console.log(
  `${pages} events to a receiver that takes ${perSecond} a second; ${told} were told when the job had ended\n`,
)
console.log('| | |\n| --- | --- |')
console.log(`| events taken while it was watched, of those possible | ${sent - told} of ${perSecond * seconds} |`)
console.log(`| events read ahead and waiting | ${pending.length} |`)
console.log(`| memory that was added, MB | ${grown.toFixed(0)} |`)
console.log(`| scrape meanwhile, ms, p50 and p95 | ${at(meanwhile, 0.5)}, ${at(meanwhile, 0.95)} |`)
console.log(`| scrape without a receiver, ms, p50 and p95 | ${at(alone, 0.5)}, ${at(alone, 0.95)} |`)
