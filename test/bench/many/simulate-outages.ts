// Simulated workers crawl while the simulated server of their store goes away and comes back; what the jobs are made of is
// what ships. Prints for each way and time how long the job stood that stood longest once the server was back, and whether
// in the end each page stood in the log of its job once, and each was paid for once.
//   node test/bench/many/simulate-outages.ts [tries: 10] [costs: redis] [seed: 1]
import type { CostsOf } from './simulation/constants.ts'
import { allOutages, goesOnWithin, outagePlan } from './simulation/outage-plan.ts'
import { simulateRuns } from './simulation/runs.ts'

const [triesText = '10', costs = 'redis', seedText = '1'] = process.argv.slice(2)
const [tries, seed] = [Number(triesText), Number(seedText)]

const runs = await simulateRuns(
  allOutages.map((outage, row) =>
    outagePlan({
      outages: Array.from({ length: tries }, () => outage),
      costs: costs as CostsOf,
      seed: seed + row,
      maxConcurrency: 1 + ((row >> 1) % 2),
    }),
  ),
)
const columns = ['Way', 'Seconds away', 'Tries', 'All jobs went on within 5 s', 'Stood longest, s', 'Calls lost']
const more = ['Pages, in the logs', 'Twice, failed', 'Ended', 'Credits used, held', 'Given up']
console.log(`| ${[...columns, ...more].join(' | ')} |\n|${' --- |'.repeat(columns.length + more.length)}`)
for (const { plan, reachable, figures } of runs) {
  const { outagesFound: found, lostCalls, logs, credits, givenUp } = figures
  const [first] = found
  const good = found.filter(({ stood }) => stood <= goesOnWithin).length
  const longest = Math.max(...found.map(({ stood }) => stood)) / 1_000
  const pages = `${reachable * (plan.jobsOfSite ?? 1)}, ${logs.pages}`
  const outage = [first?.way, first?.seconds, found.length, good, longest.toFixed(1), lostCalls]
  const kept = [pages, `${logs.twice}, ${logs.failed}`, logs.ended, `${credits.used}, ${credits.held}`, givenUp]
  console.log(`| ${[...outage, ...kept].join(' | ')} |`)
}
