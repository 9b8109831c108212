// Crawls with one of the contenders of the crawl benchmark: crawl.js <contender> <start URL> <pages> [limitHeap]
import { limitHeap } from '@harvestman/core'

import { contenders } from '../../crawl/contenders.ts'

const [name = '', start = '', limit = '', heap] = process.argv.slice(2)
if (heap === 'limitHeap') limitHeap()
const contender = contenders[name]
if (!contender) throw new Error(`Unknown contender: ${name}. Pass one of ${Object.keys(contenders).join('; ')}.`)
let pages = 0
await contender.crawl({ start, limit: Number(limit), atOnce: 16, told: () => (pages += 1) }, process.cwd())
if (pages !== Number(limit)) throw new Error(`${name} crawled ${pages} of ${limit} pages.`)
process.exit()
