// What outages are tried on: jobs that go on all the time, two for each site, of teams with credits. So a place of a host,
// a place of a team and credits are each wanted by several workers, and whatever waits in vain is seen.
import type { CostsOf } from './constants.ts'
import type { RunPlan } from './one-run.ts'
import type { Outage } from './outages.ts'

const seconds = [1, 5, 14, 16, 20, 60]
const ways = ['kill', 'hang'] as const

export const allOutages: readonly Outage[] = seconds.flatMap((seconds) => ways.map((way) => ({ way, seconds })))

/** Once the server is back, every job goes on within so many milliseconds. */
export const goesOnWithin = 5_000

const sites = 6
const jobsOfSite = 2
export const outageJobs = sites * jobsOfSite

export interface OutagePlanOptions {
  readonly outages: readonly Outage[]
  readonly costs: CostsOf
  readonly seed: number
  /** Visits at once of a job. */
  readonly maxConcurrency: number
}

export function outagePlan({ outages, costs, seed, maxConcurrency }: OutagePlanOptions): RunPlan {
  const hostsOfSite = 2
  const latency = 300
  // A while before, the time of each, a while after; and some more.
  const lasts = outages.reduce((sum, { seconds }) => sum + seconds + 30, 30)
  const pagesOfJob = (lasts * 1_000 * maxConcurrency) / latency
  return {
    ...{ workers: 4, hosts: sites * hostsOfSite, hostsOfSite, jobsOfSite, isUneven: false, latency },
    ...{ urls: Math.ceil(pagesOfJob * sites), maxConcurrency, teamConcurrency: 16, sitesOfTeam: 3 },
    ...{ outages, costs, seed, faults: [], isBound: true, isChecked: true, isQuiet: true },
  }
}
