// Records a crawl until it is killed: node record-child.ts <store> <record> <address of the site>
import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'
import { recording } from '@harvestman/record'

const [, , store = '', file = '', site = ''] = process.argv
const engine = createEngine({
  store: sqliteStore(store),
  allowPrivate: ['127.0.0.0/8'],
  limits: { leaseTime: 2_000 },
  plugins: [recording({ file, append: true })],
})
const { id } = await engine.crawl({ url: site, limit: 30, scrapeOptions: { formats: ['markdown'] } })
process.stdout.write(`${id}\n`)
