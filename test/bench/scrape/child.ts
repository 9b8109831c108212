// Runs one contender over the pages and reports processor time, all threads counted.
import { performance } from 'node:perf_hooks'

import PQueue from 'p-queue'

import { contenders } from './contenders.ts'

const [name = '', port = '', pages = ''] = process.argv.slice(2)
const make = contenders[name]
if (!make) throw new Error(`There is no contender ${name}.`)
const contender = make()

async function round(count: number): Promise<number> {
  const queue = new PQueue({ concurrency: 16 })
  let characters = 0
  for (let index = 0; index < count; index += 1) {
    void queue.add(async () => {
      const { markdown } = await contender.visit(`http://127.0.0.1:${port}/${index}`)
      characters += markdown.length
    })
  }
  await queue.onIdle()
  return characters
}

await round(Math.min(100, Number(pages)))
const cpu = process.cpuUsage()
const main = process.threadCpuUsage()
const start = performance.now()
const characters = await round(Number(pages))
const { user, system } = process.cpuUsage(cpu)
const wall = performance.now() - start
const onMain = process.threadCpuUsage(main)
await contender.close()
process.send?.({
  cpu: (user + system) / 1_000 / Number(pages),
  main: (onMain.user + onMain.system) / 1_000 / Number(pages),
  wall: wall / Number(pages),
  rss: process.memoryUsage.rss() / 1e6,
  characters: characters / Number(pages),
})
process.disconnect()
