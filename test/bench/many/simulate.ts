// Many workers, hosts and faults in one process, in less time than it would take: the scheduler, the supervisor, leases,
// logs, checkpoints, frontier, rests and ledger are those that ship; network, clock, processor and server are simulated.
//   node test/bench/many/simulate.ts [workers: 16] [urls: 100000] [hosts: 1000] [faults: faults|calm|both]
import { simulateCluster, type ClusterFigures, type ClusterPlan } from './simulation/cluster.ts'
import { constants } from './simulation/constants.ts'
import { takeOverTime } from './simulation/time.ts'
import { makeWeb } from './simulation/web.ts'

const [workersText = '16', urlsText = '100000', hostsText = '1000', faults = 'both'] = process.argv.slice(2)
const [workers, urls, hosts] = [workersText, urlsText, hostsText].map(Number) as [number, number, number]
const began = performance.now()
const heapBefore = process.memoryUsage().heapUsed

const realNow = performance.now.bind(performance)
const time = takeOverTime()

async function simulate(hasFaults: boolean): Promise<ClusterFigures> {
  const web = makeWeb({ hosts, hostsOfSite: Math.min(20, hosts), urls, latency: 300, isUneven: true })
  console.log(
    `${workers} workers, ${web.pages} pages on ${hosts} hosts of ${web.sites.length} sites, the largest host has ${web.largest}; ${hasFaults ? 'with faults' : 'calm'}`,
  )
  const plan: ClusterPlan = { workers, slots: 32, jobsOfWorker: 16, ...constants, hasFaults }
  return simulateCluster(plan, web, time)
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`

function print(figures: ClusterFigures): void {
  const { seconds, pages, again, calls, bytes, storeBusy, coresBusy, slotsBusy, mostWaiting, mostHeap } = figures
  const shares = {
    'the server of the store': storeBusy,
    'the cores of the workers': coresBusy,
    'their places for pages': slotsBusy,
  }
  const [first] = Object.entries(shares).toSorted(([, one], [, other]) => other - one)
  const rows: readonly (readonly [string, string])[] = [
    ['Simulated time, until nine of ten pages', `${seconds.toFixed(0)} s, ${figures.mostlyDone.toFixed(0)} s`],
    ['Pages a second', (pages / seconds).toFixed(0)],
    ['Pages that were visited once more', `${again}`],
    ['Calls of the store a second, for a page', `${(calls / seconds).toFixed(0)}, ${(calls / pages).toFixed(1)}`],
    ['Bytes of a page through the store', (bytes / pages).toFixed(0)],
    ['Busy: server of the store, cores, places', [storeBusy, coresBusy, slotsBusy].map(percent).join(', ')],
    [
      'Fullest',
      first && first[1] > 0.8
        ? first[0]
        : `nothing: hosts are waited for (${first?.[0]} at ${percent(first?.[1] ?? 0)})`,
    ],
    ['Most addresses that waited', `${mostWaiting}`],
    ['Heap for a worker, with all that it holds', `${((mostHeap - heapBefore) / 1e6 / workers).toFixed(1)} MB`],
    ['Workers killed, cut off for 20 s; outages of 5 s', `${figures.kills}, ${figures.cuts}, ${figures.outages}`],
    [
      'Jobs that stood still, for how long each',
      `${figures.standstills}, ${(figures.stood / Math.max(figures.standstills, 1)).toFixed(1)} s`,
    ],
  ]
  for (const [name, value] of rows) console.log(`| ${name} | ${value} |`)
}

const runs: ClusterFigures[] = []
for (const hasFaults of faults === 'both' ? [false, true] : [faults === 'faults']) {
  const figures = await simulate(hasFaults)
  print(figures)
  runs.push(figures)
}
const [calm, rough] = runs
if (calm && rough)
  console.log(
    `Time lost to faults: ${percent(rough.mostlyDone / calm.mostlyDone - 1)} until nine of ten pages were there.`,
  )
console.log(
  `It took ${((realNow() - began) / 1000).toFixed(0)} s, and ${(process.resourceUsage().maxRSS / 1000).toFixed(0)} MB at most.`,
)
process.exit()
