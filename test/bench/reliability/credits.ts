// Random mixes of jobs and single work on one account, with engines cut off at any write; then the sums are compared.
//   node test/bench/reliability/credits.ts [mixes: 10000] [first seed: 1]
import { runMix } from '../../../packages/core/src/jobs/fixtures/credit-mix.ts'

const [mixes = 10_000, first = 1] = process.argv.slice(2).map(Number)
const atOnce = 16
const total = { mixes: 0, jobs: 0, crashes: 0, faults: 0 }
let next = first

async function work(): Promise<void> {
  while (next < first + mixes) {
    const seed = next
    next += 1
    const { jobs, crashes, faults } = await runMix(seed)
    total.mixes += 1
    total.jobs += jobs
    total.crashes += crashes
    total.faults += faults.length
    for (const fault of faults) console.log(`mix ${seed}: ${fault}`)
  }
}

// Engines keep no process alive by themselves.
const alive = setInterval(() => undefined, 1_000)
await Promise.all(Array.from({ length: atOnce }, work))
clearInterval(alive)
console.log('| mixes | jobs | engines cut off | faults |\n| --- | --- | --- | --- |')
console.log(`| ${total.mixes} | ${total.jobs} | ${total.crashes} | ${total.faults} |`)
process.exitCode = total.faults > 0 ? 1 : 0
