// The pages of a team that are loading and waiting.
import type { z } from 'zod'

import type { EndpointCall } from '../plugin/endpoint.ts'
import type { FeatureKit } from '../plugin/feature.ts'
import { definePort } from '../plugin/port.ts'
import type { teamQueueSchema } from './queue-schemas.ts'

/** Returns the time of the newest request of a team that was admitted; undefined when none is known. */
export type FindLastRequest = (team: string) => Promise<string | undefined>

/** Provided by a feature that lists requests. */
export const lastRequestPort = definePort<FindLastRequest>({
  name: 'activity',
  help: 'a list of the requests of teams: plugins: [hosting()]',
})

type Caller = Pick<EndpointCall, 'team' | 'call'>

/** Counts the pages of a team. */
export async function countPages(
  { engine, limits }: Pick<FeatureKit, 'engine' | 'limits'>,
  { team, call }: Caller,
): Promise<{ readonly active: number; readonly waiting: number; readonly max: number }> {
  // Only counts are returned, so they include jobs that the key may not read.
  const jobs = await engine.jobs.running({ team })
  const max = call.admitted?.limits?.concurrency ?? limits.teamConcurrency ?? limits.concurrency
  let [open, loading] = [0, 0]
  for (const { status, total, completed, failed, request } of jobs) {
    if (status !== 'scraping') continue
    const left = Math.max(0, total - completed - failed)
    open += left
    loading += Math.min(left, concurrencyOf(request))
  }
  // Single pages use slots of the team as well. They have begun, so jobs have the remaining slots.
  const singles = Math.min(engine.unchecked.loadingOf(team), max)
  const ofJobs = Math.min(loading, max - singles)
  return { active: singles + ofJobs, waiting: open - ofJobs, max }
}

/** The limit of pages that a job loads at once; its other pages wait, whatever the limit of the team. */
function concurrencyOf(request: unknown): number {
  const { maxConcurrency } = request as { readonly maxConcurrency?: number }
  return maxConcurrency ?? Infinity
}

/** Returns the queue of a team. */
export async function readQueue(kit: FeatureKit, call: Caller): Promise<z.input<typeof teamQueueSchema>> {
  const { active, waiting, max } = await countPages(kit, call)
  const last = await kit.port(lastRequestPort)?.(call.team)
  return {
    jobsInQueue: active + waiting,
    activeJobsInQueue: active,
    waitingJobsInQueue: waiting,
    maxConcurrency: max,
    mostRecentSuccess: last ?? null,
  }
}
