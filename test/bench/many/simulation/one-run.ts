// One simulated run, in a process of its own: its time, its chance and its memory begin anew.
//   node --expose-gc one-run.ts '{"workers":4,"urls":1000,"hosts":20,"faults":[],"costs":"redis"}'
import { takeOverChance } from './chance.ts'
import { simulateCluster, type ClusterFigures } from './cluster.ts'
import { costsOf, type CostsOf } from './constants.ts'
import type { FaultKind, FaultTimes } from './faults.ts'
import type { Outage } from './outages.ts'
import { takeOverTime } from './time.ts'
import { makeWeb } from './web.ts'

export interface RunPlan {
  readonly workers: number
  readonly urls: number
  readonly hosts: number
  readonly faults: readonly FaultKind[]
  readonly faultTimes?: FaultTimes
  /** Whose costs are taken. */
  readonly costs: CostsOf
  /** Milliseconds until a host like most answers. */
  readonly latency?: number | undefined
  readonly sitesOfTeam?: number | undefined
  readonly isBound?: boolean
  readonly seed?: number
  readonly outages?: readonly Outage[]
  readonly jobsOfSite?: number
  readonly teamConcurrency?: number
  readonly maxConcurrency?: number
  readonly hostsOfSite?: number
  /** Whether sizes and speeds of hosts differ as in life. */
  readonly isUneven?: boolean
  readonly isChecked?: boolean
  readonly isQuiet?: boolean
}

export interface RunResult {
  readonly plan: RunPlan
  readonly figures: ClusterFigures
  readonly sites: number
  readonly reachable: number
  /** Pages of the largest host. */
  readonly largest: number
  /** Real seconds. */
  readonly took: number
  /** Of the whole process, with all workers and what their server keeps in memory, in bytes. */
  readonly memory: { readonly before: number; readonly most: number; readonly resident: number }
}

const realNow = performance.now.bind(performance)

async function run(plan: RunPlan): Promise<RunResult> {
  const { workers, urls, hosts, faults, costs, seed = 1, latency = 300, isQuiet = false } = plan
  const { faultTimes, sitesOfTeam, isBound = false, isChecked = false, isUneven = true, hostsOfSite = 20 } = plan
  const { outages, jobsOfSite, teamConcurrency, maxConcurrency } = plan
  takeOverChance(seed)
  const time = takeOverTime()
  const before = memory()
  const begin = realNow()
  const progress = (pages: number): void => {
    if (isQuiet) return
    const at = `${((realNow() - begin) / 1000).toFixed(0)} s, simulated ${(time.now() / 1000).toFixed(0)} s`
    console.error(`${faults.join(', ') || 'calm'}: ${pages} pages, ${at}, ${(memory() / 1e6).toFixed(0)} MB`)
  }
  const hasTrouble = faults.includes('slow hosts')
  const web = makeWeb({ hosts, hostsOfSite: Math.min(hostsOfSite, hosts), urls, latency, isUneven, hasTrouble })
  const figures = await simulateCluster(
    {
      ...{ workers, slots: 32, jobsOfWorker: 16, ...costsOf(costs) },
      ...{ faults, faultTimes, sitesOfTeam, isBound, isChecked, progress, seed },
      ...(outages && { outages }),
      ...{ jobsOfSite, teamConcurrency, ...(maxConcurrency !== undefined && { maxConcurrency }) },
    },
    web,
    time,
  )
  const { largest, reachable, sites } = web
  const took = (realNow() - begin) / 1000
  const resident = process.resourceUsage().maxRSS * 1024
  return {
    plan,
    figures,
    largest,
    reachable,
    sites: sites.length,
    took,
    memory: { before, most: figures.mostMemory, resident },
  }
}

function memory(): number {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2] ?? '{}') as RunPlan)), () => process.exit())
