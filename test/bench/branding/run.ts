// How often each value of the format branding is right, on 30 pages made by rule, in a browser:
//   node test/bench/branding/run.ts [--show]
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'

import { createEngine } from '@harvestman/core'
import { puppeteerBrowser } from '@harvestman/puppeteer'

import { brandPages, isRight, valueAt } from './pages.ts'

const { values: given } = parseArgs({ options: { show: { type: 'boolean', default: false } } })
const server = createServer(({ url = '/' }, response) => {
  const page = brandPages[Number(url.slice(1))]
  if (!page) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page.html)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], browser: puppeteerBrowser() })
const results = new Map<string, { right: number; all: number }>()
for (const [at, { values }] of brandPages.entries()) {
  const { branding } = await engine.scrape({ url: `${origin}/${at}`, formats: ['branding'], timeout: 120_000 })
  for (const [path, known] of Object.entries(values)) {
    const result = results.get(path) ?? { right: 0, all: 0 }
    results.set(path, result)
    result.all += 1
    const value = valueAt(branding, path)
    if (isRight(value, known, origin)) result.right += 1
    else if (given.show)
      console.log(`${at} ${path}: ${JSON.stringify(value)?.slice(0, 100)}, not ${JSON.stringify(known)}`)
  }
}
await engine.close()
server.close()
for (const [path, { right, all }] of results) console.log(`${path.padEnd(40)} ${right} of ${all}`)
const total = [...results.values()].reduce((sum, { right, all }) => ({ right: sum.right + right, all: sum.all + all }))
console.log(`${'all'.padEnd(40)} ${total.right} of ${total.all}`)
