// Credits and tokens of a team with version 1 names. Other team endpoints are the same in both versions.
import { z } from 'zod'

import { route, success, type Route } from '../route/route.ts'

const time = z.iso.datetime().nullable()

/** The credit endpoints of version 1. */
export const v1TeamRows: readonly Route[] = (['credit', 'token'] as const).map((unit) => {
  const [remaining, plan] = [`remaining_${unit}s`, `plan_${unit}s`]
  const data: z.ZodType<Readonly<Record<string, unknown>>> = z.object({
    [remaining]: z.number(),
    [plan]: z.number(),
    unlimited: z.boolean(),
    billing_period_start: time,
    billing_period_end: time,
  })
  return route({
    method: 'GET',
    group: 'team',
    path: `/v1/team/${unit}-usage`,
    summary: `Returns the ${unit}s that the team has left.`,
    output: () => z.object({ success: z.literal(true), data }),
    run: async ({ engine: { features }, caller, signal }) => {
      const endpoint = unit === 'credit' ? 'usage' : 'tokenUsage'
      const usage = (await features['team']?.invoke(endpoint, { call: { ...caller, signal } })) as object
      return success(Object.fromEntries(Object.entries(usage).map(([name, value]) => [snake(name), value])))
    },
  })
})

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
