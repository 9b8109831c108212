// Many workers, hosts and faults in one process, in less time than it would take: the scheduler, the supervisor, leases,
// logs, checkpoints, frontier, rests and ledger are those that ship; network, clock, processor and server are simulated.
//   node test/bench/many/simulate.ts [workers: 16] [urls: 100000] [hosts: 1000] [faults: each] [more]
// faults: calm, all, both (calm and all), each (calm, each kind alone, all).
// more: words with commas between: postgres (whose costs are taken in place of those of Redis), check (each log is read at
// its end, and each page must stand in it once), two (two runs at once), json (the figures as JSON), quiet; latency=300
// (milliseconds until a host answers, usually), team=10 (sites whose jobs are of one team), bound (teams have credits), one (all
// hosts are of one site: one crawl), even (hosts are alike).
import type { RunPlan } from './simulation/one-run.ts'
import { simulateRuns } from './simulation/runs.ts'
import { faultKinds, type FaultKind } from './simulation/faults.ts'
import { printReport } from './simulation/report.ts'

const [workersText = '16', urlsText = '100000', hostsText = '1000', faultsText = 'each', more = ''] =
  process.argv.slice(2)
const [workers, urls, hosts] = [workersText, urlsText, hostsText].map(Number) as [number, number, number]
const words = new Map<string, number>()
for (const word of more.split(',')) {
  const [name = '', value] = word.split('=')
  words.set(name, Number(value))
}
const calm: readonly FaultKind[] = []
const plans: Readonly<Record<string, readonly (readonly FaultKind[])[]>> = {
  calm: [calm],
  all: [faultKinds],
  both: [calm, faultKinds],
  each: [calm, ...faultKinds.map((kind) => [kind]), faultKinds],
}
const costs = words.has('postgres') ? 'postgres' : 'redis'
const common: Omit<RunPlan, 'faults'> = {
  workers,
  urls,
  hosts,
  costs,
  isChecked: words.has('check'),
  isQuiet: words.has('quiet'),
  isBound: words.has('bound'),
  latency: words.get('latency'),
  sitesOfTeam: words.get('team'),
  isUneven: !words.has('even'),
  ...(words.has('one') && { hostsOfSite: hosts }),
}
const runs = await simulateRuns(
  (plans[faultsText] ?? []).map((faults) => Object.assign({ faults }, common)),
  words.has('two') ? 2 : 1,
)
if (words.has('json')) console.log(JSON.stringify(runs))
else printReport(runs)
