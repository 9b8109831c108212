// Endpoints of the activity: the requests of a team in the last 24 hours.
import type { MakeEndpoint } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { z } from 'zod'

import type { Activity, ListedEntry } from './activity.ts'
import {
  activityHourSchema,
  activityPageSchema,
  activityQuerySchema,
  costHourSchema,
  type ShownRequest,
} from './results.ts'

/** The activity of an engine, with the names of its endpoints. */
export interface OpenActivity extends Activity {
  readonly endpointsOf: () => readonly string[]
}

// These reads count toward the rate limit of the group `team`, not of `status`.
const read = { method: 'GET', rate: 'team' } as const

/** The endpoints of `engine.activity`. */
export const activityEndpoints = (endpoint: MakeEndpoint<OpenActivity>) => ({
  list: endpoint({
    ...read,
    path: '/v2/team/activity',
    aliases: ['/v1/team/activity'],
    summary: 'Lists the requests of the team in the last 24 hours, newest first, including refused ones.',
    input: activityQuerySchema,
    output: activityPageSchema,
    isFlat: true,
    command: {
      print: ({ data, cursor }) => ({
        lines: data.map(({ created_at, endpoint, refused, failed, target }) => [
          ...[created_at, endpoint, refused ?? failed ?? '', target ?? ''],
        ]),
        widths: [24, 12],
        message: cursor === null ? undefined : `There are more requests. Continue with --cursor ${cursor}`,
      }),
    },
    run: async ({ list, endpointsOf }, { team, input }) => {
      const known = endpointsOf()
      if (input.endpoint !== undefined && !known.includes(input.endpoint))
        throw new EngineError('invalid_request', `Invalid endpoint filter. Must be one of: ${known.join(', ')}`)
      const { entries, cursor = null } = await list(input, { team })
      return { data: entries.map(showEntry), cursor, has_more: cursor !== null }
    },
  }),
  byHour: endpoint({
    ...read,
    path: '/v2/team/activity/hours',
    summary: 'Counts the requests of the team in each of the last 24 hours.',
    output: z.array(activityHourSchema),
    property: 'hours',
    run: async ({ byHour }, { team }) => byHour({ team }),
  }),
  costs: endpoint({
    ...read,
    path: '/v2/team/activity/costs',
    summary: 'Returns the requests, failures, credits and time of each of the last 24 hours, by endpoint and key.',
    output: z.array(costHourSchema),
    property: 'hours',
    run: async ({ costs }, { team }) => costs({ team }),
  }),
})

function showEntry({ id, endpoint, apiVersion, createdAt, target, key, refused, end }: ListedEntry): ShownRequest {
  return {
    id,
    endpoint,
    api_version: apiVersion ?? null,
    created_at: createdAt,
    target: target ?? null,
    ...(key !== undefined && { key }),
    ...(refused !== undefined && { refused }),
    ...(end && { duration_ms: end.ms, credits_used: end.credits }),
    ...(end?.failed !== undefined && { failed: end.failed }),
    ...(end?.failedPages !== undefined && { failed_pages: end.failedPages }),
  }
}
