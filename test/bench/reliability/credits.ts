// Random mixes of paid work of many teams, on engines that are cut off at any write; then the sums are compared.
//   node test/bench/reliability/credits.ts [mixes: 10000] [first seed: 1]
// A mix is what one team does; twenty of them share a store and its engines, one after the other.
import { runWorld } from '../../e2e/credit-world.ts'

const [mixes = 10_000, first = 1] = process.argv.slice(2).map(Number)
const teams = 20
const atOnce = 3
const began = performance.now()
const total = { mixes: 0, works: 0, crashes: 0, faults: 0 }
const seen: Record<string, number> = {}
let next = first

async function work(): Promise<void> {
  while (next < first + mixes / teams) {
    const seed = next
    next += 1
    const result = await runWorld(seed, teams)
    total.mixes += result.teams
    total.works += result.works
    total.crashes += result.crashes
    total.faults += result.faults.length
    for (const [what, count] of Object.entries(result.seen)) seen[what] = (seen[what] ?? 0) + count
    for (const fault of result.faults) console.log(`seed ${seed}, ${fault}`)
  }
}

// Engines keep no process alive by themselves.
const alive = setInterval(() => undefined, 1_000)
await Promise.all(Array.from({ length: atOnce }, work))
clearInterval(alive)
console.table([{ ...total, minutes: Number(((performance.now() - began) / 60_000).toFixed(1)) }])
console.table(seen)
process.exitCode = total.faults > 0 ? 1 : 0
