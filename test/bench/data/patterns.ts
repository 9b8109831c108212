// How much of a list is collected, by the way in which a site divides it, and over HTTP for those that need no browser:
// node test/bench/data/patterns.ts [part of a name] [--items 47] [--each 10] [--over http|browser]
import { parseArgs } from 'node:util'

import { createEngine } from '@harvestman/core'
import { data } from '@harvestman/data'
import { puppeteerBrowser } from '@harvestman/puppeteer'

import { listPatterns, serveListPatterns, type ListPattern } from './list-patterns.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    items: { type: 'string', default: '47' },
    each: { type: 'string', default: '10' },
    over: { type: 'string', default: 'browser' },
  },
})
const [part = ''] = positionals
const count = Number(values.items)
const site = await serveListPatterns({ count, size: Number(values.each) })
const isPlain = values.over === 'http'
const browser = isPlain ? {} : { browser: puppeteerBrowser() }
const engine = createEngine({ allowPrivate: ['127.0.0.1'], ...browser, plugins: [data()] })

interface Found {
  readonly rows: readonly object[]
  readonly complete: boolean | null
  /** Pages that were read, or steps. */
  readonly steps: number
}

async function overHttp(url: string): Promise<Found> {
  const formats = [{ type: 'items', limit: 20_000, pages: 1_000 }] as const
  const { items } = await engine.scrape({ url, formats, timeout: 240_000 })
  return { ...items, steps: items.pages }
}

async function inBrowser(url: string): Promise<Found> {
  const actions = [{ type: 'collect', limit: 20_000, steps: 10_000, time: 240_000 }] as const
  const document = await engine.scrape({ url, formats: ['links'], actions, timeout: 300_000 })
  return document.actions?.collected?.[0] ?? { rows: [], complete: false, steps: 0 }
}

async function measure(pattern: ListPattern) {
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  const { rows, complete, steps } = await (isPlain ? overHttp : inBrowser)(site.urlOf(pattern)).catch(
    (error: unknown) => {
      console.error(`${pattern.name}: ${String(error)}`)
      return { rows: [], complete: false, steps: 0 }
    },
  )
  const own = new Set(rows.map((row) => JSON.stringify(row).match(/Thing number \d+/)?.[0]))
  const { user, system } = process.cpuUsage(cpu)
  return {
    pattern: pattern.name,
    recall: own.size / count,
    twice: rows.length - own.size,
    steps,
    complete,
    seconds: ((performance.now() - start) / 1_000).toFixed(1),
    'CPU s': ((user + system) / 1e6).toFixed(1),
    'RSS MB': Math.round(process.memoryUsage.rss() / 1e6),
  }
}

const rows = []
for (const pattern of listPatterns.filter((one) => one.name.includes(part) && (one.isPlain || !isPlain)))
  rows.push(await measure(pattern))
console.table(rows)
const whole = rows.filter(({ recall, twice }) => recall === 1 && twice === 0)
console.log(`${whole.length} of ${rows.length} lists of ${count} items whole, no item twice, over ${values.over}`)
await engine.close()
site.close()
