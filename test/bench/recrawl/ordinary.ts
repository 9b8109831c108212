// What remembering pages for later recrawls costs an ordinary crawl: the same crawl without and with the plugin, in turns.
// node test/bench/recrawl/ordinary.ts [pages] [pairs]
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine } from '@harvestman/core'
import type { Plugin } from '@harvestman/core/plugin'
import { recrawl } from '@harvestman/recrawl'

import { madeUpPage } from '../made-up-pages.ts'
import { median } from '../ratios.ts'

const [pages = 300, pairs = 7] = process.argv.slice(2).map(Number)
const made = Array.from({ length: pages }, (_, number) => madeUpPage(number, pages))
const site = createServer(({ url = '/' }, response) => {
  response.setHeader('content-type', 'text/html')
  response.end(made[Number(/^\/articles\/(\d+)/.exec(url)?.[1] ?? 0)])
})
await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready))
const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`

/** Crawls, and gives the milliseconds of processor time a page. */
async function crawl(plugins: readonly Plugin[]): Promise<number> {
  await using engine = createEngine({ allowPrivate: ['127.0.0.0/8'], plugins })
  const before = process.cpuUsage()
  const job = await engine.crawl({ url, limit: pages })
  await job.end()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / (await job.status()).completed
}

const [without, remembered] = [() => crawl([]), () => crawl([recrawl()])]
await without()
await remembered()
const times: { readonly without: number; readonly remembered: number }[] = []
for (let pair = 0; pair < pairs; pair += 1) {
  const first = pair % 2 === 0 ? await without() : await remembered()
  const second = pair % 2 === 0 ? await remembered() : await without()
  times.push(pair % 2 === 0 ? { without: first, remembered: second } : { without: second, remembered: first })
}
site.close()
const [plain, kept] = [median(times.map((one) => one.without)), median(times.map((one) => one.remembered))]
const ratio = median(times.map((one) => one.remembered / one.without))
console.log(`${plain.toFixed(2)} ms a page without, ${kept.toFixed(2)} ms with recrawl(): ${ratio.toFixed(2)} ×`)
