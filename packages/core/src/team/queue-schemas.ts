import { z } from 'zod'

/** The pages of a team that are loading and waiting. */
export const teamQueueSchema = z
  .object({
    jobsInQueue: z.int(),
    activeJobsInQueue: z.int(),
    waitingJobsInQueue: z.int(),
    maxConcurrency: z.int(),
    mostRecentSuccess: z.iso.datetime().nullable(),
  })
  .meta({ id: 'TeamQueue', description: 'The pages of a team that are loading and waiting.' })

/** The pages of a team that are loading, and their limit. */
export const concurrencySchema = z.object({ concurrency: z.int(), maxConcurrency: z.int() })
