// One contender in a process of its own. Tells what it used as one line of JSON.
// Run: node contender.ts <name> <origin> <pages> <concurrency> <executable> <peers>
import { contenders } from './contenders.ts'
import { memoryBelow, usageOf } from './processes.ts'

export interface Outcome {
  /** Milliseconds of processor time for each page: of everything, and of this process alone. */
  readonly cpu: number
  readonly own: number
  /** Milliseconds from start to end for each page, and for the page in the middle. */
  readonly wall: number
  readonly p50: number
  readonly memory: number
}

const [name = '', origin = '', count = '0', lanes = '1', executable = '', peers = ''] = process.argv.slice(2)
const [pages, concurrency] = [Number(count), Number(lanes)]
const warmUp = Math.max(4, concurrency)

const visitor = await contenders[name]!({ executable, concurrency, peers })

async function visitAll(first: number, end: number): Promise<number[]> {
  const times: number[] = []
  let next = first
  const lane = async (): Promise<void> => {
    while (next < end) {
      const started = performance.now()
      const html = await visitor.visit(`${origin}/page?${(next += 1)}`)
      if (!html.includes('Item number 119')) throw new Error(`${name} gave a page that is not whole.`)
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
  return times.sort((a, b) => a - b)
}

await visitAll(0, warmUp)
const before = usageOf(process.pid)
const started = performance.now()
const times = await visitAll(warmUp, warmUp + pages)
const wall = (performance.now() - started) / pages
const after = usageOf(process.pid)
const outcome: Outcome = {
  cpu: (after.all - before.all) / pages,
  own: (after.own - before.own) / pages,
  wall,
  p50: times[times.length >> 1]!,
  memory: memoryBelow(process.pid),
}
console.log(JSON.stringify(outcome))
await visitor.close()
process.exit(0)
