// A crawl that knows a million addresses, on a store on disk, which is then taken up by another engine, and after that by
// another process:
//   node test/bench/crawl/frontier.ts [addresses: 1000000]
// The addresses come from sitemaps. Prints memory, how long they took to be taken in, and how long the others took until
// they visited pages again.
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createEngine, type Crawl } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'

const [addresses = 1_000_000] = process.argv.slice(2).map(Number)
const server = fork(fileURLToPath(new URL('./many-addresses.ts', import.meta.url)), [String(addresses)])
const port = await new Promise<unknown>((resolve) => void server.once('message', resolve))
const url = `http://127.0.0.1:${String(port)}/`
const visits = async (): Promise<number> => Number(await (await fetch(`${url}visits`)).text())
const folder = mkdtempSync(join(tmpdir(), 'frontier-'))
const file = join(folder, 'jobs.db')
const open = () => {
  const store = sqliteStore(file)
  return { store, engine: createEngine({ store, allowPrivate: ['127.0.0.0/8'] }) }
}
interface GoneOn {
  readonly total: number
  readonly took: number
  readonly stall: number
  readonly memory: number
}
let peak = 0
const looking = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50)
const until = async (isSo: () => Promise<boolean>): Promise<number> => {
  const start = performance.now()
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50))
  return Math.round(performance.now() - start)
}
const known = async (crawl: Crawl): Promise<boolean> => (await crawl.status()).total >= addresses

const first = open()
const crawl = await first.engine.crawl({ url, limit: addresses + 1, maxConcurrency: 8 })
const takenIn = await until(() => known(crawl))
const { user, system } = process.cpuUsage()
await first.engine.close()
await first.store.close()
const before = await visits()
const second = open()
const again = await second.engine.jobs.findCrawl(crawl.id)
const resumed = await until(async () => (await visits()) > before)
const isWhole = await known(again)
clearInterval(looking)
await second.engine.close()
await second.store.close()
const child = fork(fileURLToPath(new URL('./go-on.ts', import.meta.url)), [file, crawl.id, url])
const there = await new Promise<GoneOn>(
  (resolve) => void child.once('message', (message) => resolve(message as GoneOn)),
)
await new Promise((resolve) => child.once('exit', resolve))
server.kill()
rmSync(folder, { recursive: true })
console.table({
  addresses,
  'ms until all were known': takenIn,
  'µs of processor time for each': Math.round(((user + system) / addresses) * 10) / 10,
  'ms until another engine went on': resumed,
  'all known there': isWhole && there.total >= addresses,
  'most memory of the process, MB': Math.round(peak / 1e6),
  'ms until another process went on': there.took,
  'its longest stall, ms': there.stall,
  'its most memory, MB': there.memory,
})
