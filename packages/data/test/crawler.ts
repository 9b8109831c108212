// Crawls a site into a dataset until it is killed or done: node crawler.ts <store> <site>
import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'

import { data } from '../src/index.ts'

const [, , store = '', url = ''] = process.argv
const limits = { leaseTime: 2_000 }
const engine = createEngine({ store: sqliteStore(store), allowPrivate: ['127.0.0.0/8'], limits, plugins: [data()] })
await engine.datasets.create({ name: 'teas', key: ['link'] })
const formats = ['items', { type: 'dataset', name: 'teas' }] as const
const scrapeOptions = { formats: [...formats] }
const crawl = await engine.crawl({ url, limit: 500, excludePaths: ['^/tea/'], scrapeOptions })
process.stdout.write(`${crawl.id}\n`)
await crawl.end()
await engine.close()
