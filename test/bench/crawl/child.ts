// Lets one contender crawl, and reports processor time of all its threads, memory, and when pages came.
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

import { contenders } from './contenders.ts'

const [name = '', port = '', limit = '', atOnce = '', peers = ''] = process.argv.slice(2)
const contender = contenders[name]
if (!contender) throw new Error(`There is no contender ${name}.`)

// As `npm start` does: the flag is for this thread, and other threads get what they are given.
setFlagsFromString('--max-semi-space-size=0')

const start = `http://127.0.0.1:${port}/`
// Starting a process, reading modules and warming up the compiler are not what a page costs.
await contender.crawl({ start, limit: 60, atOnce: Number(atOnce), told: () => undefined }, peers)

const figures = { pages: 0, letters: 0, fiftieth: NaN }
const began = performance.now()
const told = (letters: number): void => {
  figures.pages += 1
  figures.letters += letters
  if (figures.pages === 50) figures.fiftieth = performance.now() - began
}
const cpu = process.cpuUsage()
const main = process.threadCpuUsage()
await contender.crawl({ start, limit: Number(limit), atOnce: Number(atOnce), told }, peers)
const wall = performance.now() - began
const { user, system } = process.cpuUsage(cpu)
const onMain = process.threadCpuUsage(main)
process.send?.(
  {
    ...figures,
    wall,
    cpu: (user + system) / 1_000 / figures.pages,
    main: (onMain.user + onMain.system) / 1_000 / figures.pages,
    rss: process.resourceUsage().maxRSS / 1_000,
  },
  () => process.exit(),
)
