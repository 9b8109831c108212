import { z } from 'zod'

/** Number of pages of a team that are loading and waiting. */
export const teamQueueSchema = z
  .object({
    jobsInQueue: z.int(),
    activeJobsInQueue: z.int(),
    waitingJobsInQueue: z.int(),
    maxConcurrency: z.int(),
    mostRecentSuccess: z.iso.datetime().nullable(),
  })
  .meta({ id: 'TeamQueue', description: 'The pages of a team that are loading and waiting.' })

/** Number of pages of a team that are loading, and the concurrency limit. */
export const concurrencySchema = z.object({ concurrency: z.int(), maxConcurrency: z.int() })
