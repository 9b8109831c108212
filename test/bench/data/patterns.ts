// How much of a list is collected, by the way in which a site divides it: node test/bench/data/patterns.ts [part of a name]
import { createEngine } from '@harvestman/core'
import { data } from '@harvestman/data'
import { puppeteerBrowser } from '@harvestman/puppeteer'

import { listPatterns, serveListPatterns } from './list-patterns.ts'

const part = process.argv[2] ?? ''
const site = await serveListPatterns()
const engine = createEngine({ allowPrivate: ['127.0.0.1'], browser: puppeteerBrowser(), plugins: [data()] })
const rows = []
for (const pattern of listPatterns.filter(({ name }) => name.includes(part))) {
  const start = performance.now()
  const { actions } = await engine.scrape({
    url: site.urlOf(pattern),
    formats: ['links'],
    actions: [{ type: 'collect' }],
    timeout: 60_000,
  })
  const [found] = actions?.collected ?? []
  const own = new Set(found?.rows.map((row) => JSON.stringify(row).match(/Thing number \d+/)?.[0]))
  rows.push({
    pattern: pattern.name,
    'of its items': `${own.size} of ${pattern.items}`,
    twice: (found?.rows.length ?? 0) - own.size,
    steps: found?.steps,
    complete: found?.complete,
    seconds: ((performance.now() - start) / 1_000).toFixed(1),
  })
}
console.table(rows)
const whole = rows.filter((row) => /^(\d+) of \1$/.test(row['of its items']) && row.twice === 0)
console.log(`${whole.length} of ${rows.length} lists whole, no item twice`)
await engine.close()
site.close()
