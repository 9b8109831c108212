// Number of pages of a team that are loading or waiting.
import type { z } from 'zod'

import type { EndpointCall } from '../plugin/endpoint.ts'
import type { FeatureKit } from '../plugin/feature.ts'
import { definePort } from '../plugin/port.ts'
import type { teamQueueSchema } from './queue-schemas.ts'

/** Returns the time of a team's newest admitted request, or `undefined` if none is known. */
export type FindLastRequest = (team: string) => Promise<string | undefined>

/** Port of a feature that records requests. */
export const lastRequestPort = definePort<FindLastRequest>({
  name: 'activity',
  description: 'a list of the requests of teams',
  remedy: 'Add hosting() of @harvestman/http/hosting to plugins.',
})

type Caller = Pick<EndpointCall, 'team' | 'call'>

/**
 * Counts the loading (`active`) and waiting pages of a team, and returns its concurrency limit as `max`. Rejects if the store
 * fails.
 */
export async function countPages(
  { engine, limits }: Pick<FeatureKit, 'engine' | 'limits'>,
  { team, call }: Caller,
): Promise<{ readonly active: number; readonly waiting: number; readonly max: number }> {
  // Only counts are returned, so jobs that the key may not read are included.
  const [jobs, loading] = await Promise.all([engine.jobs.running({ team }), engine.unchecked.loadingOf(team)])
  const max = call.admitted?.limits?.concurrency ?? limits.teamConcurrency ?? limits.concurrency
  const open = jobs
    .filter(({ status }) => status === 'scraping')
    .reduce((sum, { total, completed, failed }) => sum + Math.max(0, total - completed - failed), 0)
  return { active: loading.single + loading.ofJobs, waiting: Math.max(0, open - loading.ofJobs), max }
}

/**
 * Returns the queue status of a team, in numbers of pages. The time of its newest request is null if it is not known. Rejects
 * if the store fails.
 */
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
