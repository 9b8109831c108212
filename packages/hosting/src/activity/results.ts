// Schemas of the activity endpoints.
import { activityEndpoints } from '@harvestman/core'
import { z } from 'zod'

const time = z.iso.datetime()

/** Filter and position of a list of requests. */
export const activityQuerySchema = z.object({
  endpoint: z
    .string()
    .meta({ examples: [...activityEndpoints] })
    .optional()
    .describe('Only requests of this endpoint, or of this kind of job.'),
  limit: z.int().meta({ minimum: 1, maximum: 100 }).catch(50).optional().describe('1 to 100. Default: 50.'),
  cursor: z.string().max(500).optional().describe('The `cursor` of the previous page.'),
})

const activityEntrySchema = z
  .object({
    id: z.string(),
    endpoint: z.string().describe('The operation: a method of the engine, or a kind of job.'),
    api_version: z.string().nullable(),
    created_at: time,
    target: z.string().nullable(),
    key: z.string().optional().describe('The id of the API key, if the team has keys.'),
    refused: z.string().optional().describe('The error code of a request that was refused before it started.'),
    duration_ms: z
      .number()
      .optional()
      .describe('The duration in milliseconds. Absent while the request runs, and if unknown.'),
    credits_used: z.number().optional().describe('The price of the request in credits.'),
    failed: z.string().optional().describe('The error code of a request that failed after it started.'),
    failed_pages: z.int().optional().describe('The number of failed pages of the job. Absent if there are none.'),
  })
  .meta({ id: 'ActivityEntry', description: 'A request of the last 24 hours.' })

/** A request of the last 24 hours. */
export type ShownRequest = z.output<typeof activityEntrySchema>

/** A page of the requests of a team. */
export const activityPageSchema = z
  .object({ data: z.array(activityEntrySchema), cursor: z.string().nullable(), has_more: z.boolean() })
  .meta({ id: 'ActivityPage', description: 'A page of the requests of a team.' })

/** The number of requests in an hour. */
export const activityHourSchema = z
  .object({ startDate: time, requests: z.int() })
  .meta({ id: 'ActiveHour', description: 'The number of requests in an hour.' })

const costRowSchema = z
  .object({
    endpoint: z.string(),
    key: z.string().optional().describe('The id of the key. Absent without a key.'),
    requests: z.int(),
    failed: z.int().describe('The number of failed requests.'),
    credits: z.number(),
    ms: z.number().describe('Milliseconds of all requests together.'),
  })
  .meta({ id: 'CostRow', description: 'The cost of the requests that ended in an hour, of one endpoint and one key.' })

/** The costs of an hour. */
export const costHourSchema = z
  .object({ startDate: time, rows: z.array(costRowSchema) })
  .meta({ id: 'CostHour', description: 'The costs of an hour.' })
