// Remaining and used credits of a team.
import type { Account } from '@harvestman/ports'
import { z } from 'zod'

const time = z.iso.datetime()
const period = { billingPeriodStart: time.nullable(), billingPeriodEnd: time.nullable() }

/** Tokens per credit, as in the public API. */
export const tokensPerCredit = 15

/** Credits of a team without a limit: clients of the public API read a number, and take `null` for 0. */
const unlimitedCredits = 99_999_999

const balance = {
  unlimited: z.boolean().describe('True for a team without a limit. The numbers are then very large.'),
  ...period,
}

/** The credits of a team. */
export const usageSchema = z
  .object({ remainingCredits: z.number(), planCredits: z.number(), ...balance })
  .meta({ id: 'Usage', description: 'The credits of a team.' })

/** The credits of a team, in tokens. */
export const tokenUsageSchema = z.object({ remainingTokens: z.number(), planTokens: z.number(), ...balance })

/**
 * Returns the credits that a team has left, and as `planCredits` those that it was granted, or that are left if this is
 * unknown. A team without a limit has `unlimited: true` and 99,999,999 credits. The billing period is always null.
 */
export function showUsage({ credits, granted }: Pick<Account, 'credits' | 'granted'>): z.input<typeof usageSchema> {
  return {
    remainingCredits: credits ?? unlimitedCredits,
    planCredits: granted ?? credits ?? unlimitedCredits,
    unlimited: credits === undefined,
    billingPeriodStart: null,
    billingPeriodEnd: null,
  }
}

/** Returns what `showUsage` returns, with the credits converted to tokens, 15 for each. */
export function showTokenUsage(account: Pick<Account, 'credits' | 'granted'>): z.input<typeof tokenUsageSchema> {
  const { remainingCredits, planCredits, ...rest } = showUsage(account)
  return { remainingTokens: remainingCredits * tokensPerCredit, planTokens: planCredits * tokensPerCredit, ...rest }
}

/** Query for usage by period. */
export const periodQuerySchema = z.object({
  byApiKey: z.boolean().optional(),
  timeRange: z.enum(['day', 'month']).optional().describe('The length of a period. Default: month.'),
})

const used = { startDate: time, endDate: time.nullable(), apiKey: z.string().optional() }

/** Credits used per period. */
export const usagePeriodsSchema = z.array(
  z
    .object({ ...used, creditsUsed: z.number(), totalCredits: z.number() })
    .meta({ id: 'UsagePeriod', description: 'The credits used in a period, by all keys or by one.' }),
)

/** Credits used per period, as tokens. */
export const tokenPeriodsSchema = z.array(z.object({ ...used, tokensUsed: z.number(), totalTokens: z.number() }))

interface Period {
  readonly startDate: string
  /** Null until the period has ended. */
  readonly endDate: string | null
  readonly apiKey?: string
  readonly credits: number
}

/**
 * Lists the credits used per month (default) or day in UTC, oldest first; with `byApiKey`, one entry for each key. Empty
 * without usage. `now` is in milliseconds since 1970.
 */
export function listPeriods(
  { days, months }: Pick<Account, 'days' | 'months'>,
  { byApiKey = false, timeRange = 'month' }: z.output<typeof periodQuerySchema>,
  now: number,
): readonly Period[] {
  return Object.entries(timeRange === 'day' ? days : months)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([start, keys]) => {
      const dates = datesOf(start, timeRange, now)
      if (byApiKey) return Object.entries(keys).map(([apiKey, credits]) => ({ ...dates, apiKey, credits }))
      return [{ ...dates, credits: Object.values(keys).reduce((all, credits) => all + credits, 0) }]
    })
}

function datesOf(start: string, range: 'day' | 'month', now: number): Pick<Period, 'startDate' | 'endDate'> {
  const first = new Date(range === 'day' ? `${start}T00:00:00Z` : `${start.slice(0, 7)}-01T00:00:00Z`)
  const end = new Date(first)
  if (range === 'day') end.setUTCDate(end.getUTCDate() + 1)
  else end.setUTCMonth(end.getUTCMonth() + 1)
  return { startDate: first.toISOString(), endDate: end.getTime() > now ? null : end.toISOString() }
}
