// A crawl of a million addresses that wait at once, most of them in files: prints how long it took to take them in and to
// give them out again, the most memory the process had, and how long the addresses seen took to come back.
//   node test/bench/queue/frontier.ts [addresses: 1000000]
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { makeFrontier } from '../../../packages/core/src/crawl/frontier.ts'
import { makeSeen } from '../../../packages/site/src/seen.ts'

const [count = 1_000_000] = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'frontier-'))
const host = 'www.example.com'
const seen = makeSeen()
const frontier = makeFrontier({
  spill: {
    write: async (part, bytes) => writeFileSync(join(folder, String(part)), bytes),
    read: async (part) => readFileSync(join(folder, String(part))),
  },
})

let peak = 0
const look = () => (peak = Math.max(peak, process.memoryUsage().rss))
const timed = async (work: () => Promise<void> | void) => {
  const start = performance.now()
  await work()
  return Math.round(performance.now() - start)
}

let inMemory = 0
const takenIn = await timed(async () => {
  for (let number = 0; number < count; number += 1) {
    const url = `https://${host}/category-${number % 101}/the-name-of-a-product/${number}`
    if (seen.add(url) && frontier.add(number, [url, host, 2, 0])) inMemory += 1
    if (number % 5000 === 0) {
      look()
      await new Promise(setImmediate)
    }
  }
})
let next = 0
const givenOut = await timed(async () => {
  while (next < count) {
    if (frontier.wantsRefill) await frontier.refill()
    const waiting = frontier.take(host)
    if (waiting && waiting.number !== next) throw new Error(`${waiting.number} came in the place of ${next}`)
    if (waiting) next += 1
    if (next % 5000 === 0) look()
  }
})
rmSync(folder, { recursive: true })
console.table({
  addresses: next,
  'of them in memory at most': inMemory,
  'bytes for each that was seen': Math.round((seen.bytes / count) * 10) / 10,
  'ms to take in': takenIn,
  'ms to give out': givenOut,
  'peak memory of the process, MB': Math.round(peak / 1e6),
})
