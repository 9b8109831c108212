// Turns of threads: jobs whose requests inherit options from the previous turn.
import { EngineError, type Json } from '@harvestman/ports'

import type { Job, JobStatus } from '../jobs/handle.ts'
import type { JobCaller, Jobs } from '../jobs/jobs.ts'
import type { JobData } from '../jobs/log/facts.ts'
import type { BegunTurn, StoredTurn, Threads } from '../jobs/threads.ts'
import type { JobPart, JobThread, JobThreads } from '../plugin/job.ts'
import { check } from '../schema/problems.ts'
import type { PartJob, PartStatus } from './part-job.ts'

export interface TurnOptions {
  readonly jobs: Jobs
  readonly threads: Threads
  readonly statusOf: (
    part: JobPart,
    of: { readonly job: Job; readonly status: JobStatus; readonly team: string; readonly jobs: Jobs },
  ) => Promise<PartStatus>
  /** Opens a job. `context` is stored before its work starts. */
  readonly openWork: (part: JobPart, request: unknown, call: JobCaller, context: readonly JobData[]) => Promise<PartJob>
}

/** Entry points for the turns of threads. */
export interface Turns {
  /** Opens the job of a turn. The kind fills in omitted options from the previous turn. */
  open(part: JobPart, way: JobThreads, input: unknown, call: JobCaller): Promise<PartJob>
  find(part: JobPart, id: string, team: string): Promise<JobThread<PartStatus>>
}

/** Maximum number of earlier turns that the work of a turn receives. */
const maxEarlier = 20

/**
 * Creates the functions that open and find turns: jobs of one thread, each of which continues the previous one. Both reject
 * with `not_found` for an unknown thread, and opening with `conflict` while another turn is running. If its job cannot be
 * opened, the turn is removed again. `find` omits runs that have expired.
 */
export function makeTurns({ jobs, threads, statusOf, openWork }: TurnOptions): Turns {
  const runsOf = async (part: JobPart, turns: readonly StoredTurn[], team: string) => {
    const runs = await Promise.all(
      turns.map(async ({ job: id }, place) => {
        const job = id === null ? undefined : await found(jobs.find(id, team, part))
        if (!job) return []
        const status = await job.status()
        const shown = await statusOf(part, { job, status, team, jobs })
        return { turn: place + 1, finishedAt: status.completedAt ?? null, status: shown }
      }),
    )
    return runs.flat()
  }
  const begin = (
    part: JobPart,
    thread: string | undefined,
    { team, idempotencyKey }: JobCaller,
  ): Promise<BegunTurn> => {
    const isRunning = async (id: string): Promise<boolean> => {
      const job = await found(jobs.find(id, team, part))
      return (await job?.status())?.status === 'scraping'
    }
    return threads.begin({ kind: part.kind, team, thread, idempotencyKey, isRunning })
  }
  const openTurn = async (
    part: JobPart,
    { inherit, begin: firstStep }: JobThreads,
    input: unknown,
    call: JobCaller,
    { thread: id, turn, earlier: before }: BegunTurn,
  ): Promise<PartJob> => {
    const earlier = (await runsOf(part, before.slice(-maxEarlier), call.team)).map(({ status }) => status)
    const last = earlier.at(-1)
    const given = last ? inherit(input as Readonly<Record<string, unknown>>, last.request) : input
    // Cast: steps are JSON.
    const step = firstStep({ thread: id, turn, earlier }) as Json
    const job = await openWork(part, check(part.request, given), call, [{ step, spent: 0 }])
    return { ...job, thread: { id, turn } }
  }
  return {
    open: async (part, way, input, call) => {
      const request = check(part.request, input) as Readonly<Record<string, string | undefined>>
      const begun = await begin(part, request[way.option], call)
      const job = await openTurn(part, way, input, call, begun).catch(async (error: unknown) => {
        await begun.failed()
        throw error
      })
      await begun.started(job.id)
      return job
    },
    find: async (part, id, team) => {
      const { createdAt, updatedAt, turns } = await threads.find(id, { kind: part.kind, team })
      const runs = await runsOf(part, turns, team)
      const ends = runs.flatMap(({ finishedAt }) => (finishedAt === null ? [] : Date.parse(finishedAt)))
      return { id, createdAt: isoTime(createdAt), updatedAt: isoTime(Math.max(updatedAt, ...ends)), runs }
    },
  }
}

function isoTime(at: number): string {
  return new Date(at).toISOString()
}

/** Returns a job, or `undefined` if it has expired. */
async function found(job: Promise<Job>): Promise<Job | undefined> {
  try {
    return await job
  } catch (error) {
    if (EngineError.is(error) && error.code === 'not_found') return undefined
    throw error
  }
}
