// Team endpoints: what a team has left, what it used, what it asked for, and how busy it is.
import { EngineError } from '@harvestman/core'
import { z } from 'zod'

import type { ApiEngine } from '../route/engine.ts'
import { route, success, type Route, type RouteCall, type Version } from '../route/route.ts'

const done = z.literal(true)
const iso = z.iso.datetime()
const period = { billingPeriodStart: iso.nullable(), billingPeriodEnd: iso.nullable() }
const noPeriod = { billingPeriodStart: null, billingPeriodEnd: null }
/** Tokens of the public API for a credit. */
const tokensPerCredit = 15

const team = { method: 'GET', group: 'team' } as const

export function teamRows(version: Version): readonly Route[] {
  return [
    ...usageRows(version),
    ...historyRows(version),
    busyRow(version),
    concurrencyRow(version),
    activityRow(version),
    // The public API has no such thing.
    ...(version === 'v2' ? [hours, costs] : []),
  ]
}

/** An object whose names differ from version to version. */
function named(shape: z.ZodRawShape): z.ZodType<Readonly<Record<string, unknown>>> {
  return z.object(shape)
}

/** A team without a bound has nothing left to count: null stands for that. */
function usageRows(version: Version): Route[] {
  const isOld = version === 'v1'
  const names = (what: 'Credits' | 'Tokens') =>
    isOld
      ? ([`remaining_${what.toLowerCase()}`, `plan_${what.toLowerCase()}`] as const)
      : ([`remaining${what}`, `plan${what}`] as const)
  const periodOf = <T>(value: { billingPeriodStart: T; billingPeriodEnd: T }) =>
    isOld ? { billing_period_start: value.billingPeriodStart, billing_period_end: value.billingPeriodEnd } : value
  return (['Credits', 'Tokens'] as const).map((what) => {
    const [remaining, plan] = names(what)
    const times = what === 'Tokens' ? tokensPerCredit : 1
    return route({
      ...team,
      path: `/${version}/team/${what === 'Credits' ? 'credit' : 'token'}-usage`,
      summary: `Tells how many ${what.toLowerCase()} the team has left; null when it has no bound.`,
      output: () =>
        z.object({
          success: done,
          data: named({
            [remaining]: z.number().nullable(),
            [plan]: z.number().nullable(),
            ...periodOf(period),
          }),
        }),
      run: async ({ engine, team }) => {
        const { credits, granted } = await engine.usage({ team })
        const shown = (value: number | undefined): number | null => (value === undefined ? null : value * times)
        return success({ [remaining]: shown(credits), [plan]: shown(granted), ...periodOf(noPeriod) })
      },
    })
  })
}

const usedIn = { startDate: iso, endDate: iso.nullable(), apiKey: z.string().optional() }

function historyRows(version: Version): Route[] {
  return (['credit', 'token'] as const).map((what) => {
    const [used, total] = what === 'credit' ? ['creditsUsed', 'totalCredits'] : ['tokensUsed', 'totalTokens']
    const times = what === 'token' ? tokensPerCredit : 1
    return route({
      ...team,
      path: `/${version}/team/${what}-usage/historical`,
      summary: `Lists what the team used by month, or by day; with \`byApiKey=true\`, of each key.`,
      query: z.object({
        byApiKey: z.enum(['true', 'false']).optional(),
        timeRange: z.enum(['day', 'month']).optional().describe('How long a period is; a month when absent.'),
      }),
      output: () =>
        z.object({ success: done, periods: z.array(named({ ...usedIn, [used]: z.number(), [total]: z.number() })) }),
      run: async ({ engine, team, query }) => {
        const account = await engine.usage({ team })
        const range = query.timeRange ?? 'month'
        const periods = Object.entries(range === 'day' ? account.days : account.months)
        return {
          success: true as const,
          periods: periods
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .flatMap(([start, keys]) => {
              const dates = bounds(start, range)
              const amounts = (value: number) => ({ [used]: value * times, [total]: value * times })
              if (query.byApiKey === 'true') {
                return Object.entries(keys).map(([apiKey, value]) => ({ ...dates, apiKey, ...amounts(value) }))
              }
              const sum = Object.values(keys).reduce((all, value) => all + value, 0)
              return [{ ...dates, ...amounts(sum) }]
            }),
        }
      },
    })
  })
}

/** A period is open as long as it lasts. */
function bounds(start: string, range: 'day' | 'month'): { startDate: string; endDate: string | null } {
  const first = new Date(range === 'day' ? `${start}T00:00:00Z` : `${start.slice(0, 7)}-01T00:00:00Z`)
  const end = new Date(first)
  if (range === 'day') end.setUTCDate(end.getUTCDate() + 1)
  else end.setUTCMonth(end.getUTCMonth() + 1)
  return { startDate: first.toISOString(), endDate: end.getTime() > Date.now() ? null : end.toISOString() }
}

async function workOf({ engine, team, asker }: RouteCall) {
  // Only counts are returned, so they include jobs that the key may not read.
  const running = (await engine.jobs.running({ team, scopes: undefined })).filter(({ status }) => status === 'scraping')
  const most = asker.admitted?.limits?.concurrency ?? engine.limits.teamConcurrency ?? engine.limits.concurrency
  let [open, loading] = [0, 0]
  for (const { total, completed, failed, request } of running) {
    const left = Math.max(0, total - completed - failed)
    open += left
    loading += Math.min(left, concurrencyOf(request))
  }
  // Single pages hold slots of the team as well. They have begun, so those of jobs have what is left.
  const singles = Math.min(engine.unchecked.loadingOf(team), most)
  const ofJobs = Math.min(loading, most - singles)
  return { active: singles + ofJobs, waiting: open - ofJobs, most }
}

/** The limit of pages that a job loads at once; the other pages of it wait, however many the team may load. */
function concurrencyOf(request: unknown): number {
  const { maxConcurrency } = request as { readonly maxConcurrency?: number }
  return maxConcurrency ?? Infinity
}

function busyRow(version: Version): Route {
  return route({
    ...team,
    path: `/${version}/team/queue-status`,
    summary: 'Returns how many pages of the team are loading and waiting.',
    output: () =>
      z.object({
        success: done,
        jobsInQueue: z.int(),
        activeJobsInQueue: z.int(),
        waitingJobsInQueue: z.int(),
        maxConcurrency: z.int(),
        mostRecentSuccess: iso.nullable(),
      }),
    run: async (call) => {
      const { active, waiting, most } = await workOf(call)
      const counts = { jobsInQueue: active + waiting, activeJobsInQueue: active, waitingJobsInQueue: waiting }
      const { activity }: ApiEngine = call.engine
      const page = await activity?.list({ limit: 20 }, { team: call.team })
      const last = page?.entries.find(({ refused }) => refused === undefined)
      return { success: true as const, ...counts, maxConcurrency: most, mostRecentSuccess: last?.createdAt ?? null }
    },
  })
}

function concurrencyRow(version: Version): Route {
  return route({
    ...team,
    path: `/${version}/concurrency-check`,
    summary: 'Returns how many pages of the team are loading, and its maximum.',
    output: () => z.object({ success: done, concurrency: z.int(), maxConcurrency: z.int() }),
    run: async (call) => {
      const { active, most } = await workOf(call)
      return { success: true as const, concurrency: active, maxConcurrency: most }
    },
  })
}

const record = z.object({
  id: z.string(),
  endpoint: z.string().describe('What was asked: a part of the engine, or a kind of job.'),
  api_version: z.string().nullable(),
  created_at: iso,
  target: z.string().nullable(),
  key: z.string().optional().describe('The id of its key, where the team has keys.'),
  refused: z.string().optional().describe('Why it was refused before its work began.'),
  duration_ms: z.number().optional().describe('How long it took; absent while it goes on and where that is not known.'),
  credits_used: z.number().optional().describe('What it cost in all.'),
  failed: z.string().optional().describe('Why it failed after its work had begun.'),
  failed_pages: z.int().optional().describe('How many pages of the job failed; absent when none did.'),
})

function activityRow(version: Version): Route {
  return route({
    ...team,
    feature: 'activity',
    path: `/${version}/team/activity`,
    summary: 'Lists the requests of the team in the last 24 hours, newest first, including refused ones.',
    query: z.object({
      endpoint: z.string().optional(),
      limit: z.coerce.number().int().catch(50).optional().describe('1 to 100; 50 when absent.'),
      cursor: z.string().max(500).optional().describe('Where the page before ended.'),
    }),
    output: () =>
      z.object({ success: done, data: z.array(record), cursor: z.string().nullable(), has_more: z.boolean() }),
    run: async ({ engine, team, query: { endpoint, limit, cursor } }) => {
      const { endpoints: known } = engine.capabilities()
      if (endpoint !== undefined && !known.includes(endpoint)) throw badEndpoint(known)
      const page = await engine.activity.list({ endpoint, limit, cursor }, { team })
      return {
        success: true as const,
        data: page.entries.map(({ id, endpoint, apiVersion, createdAt, target, key, refused, end }) => ({
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
        })),
        cursor: page.cursor ?? null,
        has_more: page.cursor !== undefined,
      }
    },
  })
}

const hours: Route = route({
  ...team,
  feature: 'activity',
  path: '/v2/team/activity/hours',
  summary: 'Counts the requests of the team in each of the last 24 hours.',
  output: () => z.object({ success: done, hours: z.array(z.object({ startDate: iso, requests: z.int() })) }),
  run: async ({ engine, team }) => ({ success: true as const, hours: [...(await engine.activity.byHour({ team }))] }),
})

const costRow = z.object({
  endpoint: z.string(),
  key: z.string().optional().describe('The id of the key, where one was used.'),
  requests: z.int(),
  failed: z.int().describe('How many of them failed.'),
  credits: z.number(),
  ms: z.number().describe('Milliseconds that all of them took together.'),
})

const costs: Route = route({
  ...team,
  feature: 'activity',
  path: '/v2/team/activity/costs',
  summary: 'Returns the requests, failures, credits and time of each of the last 24 hours, by endpoint and key.',
  output: () => z.object({ success: done, hours: z.array(z.object({ startDate: iso, rows: z.array(costRow) })) }),
  run: async ({ engine, team }) => ({
    success: true as const,
    hours: (await engine.activity.costs({ team })).map(({ startDate, rows }) => ({ startDate, rows: [...rows] })),
  }),
})

function badEndpoint(known: readonly string[]): EngineError {
  const message = `Invalid endpoint filter. Must be one of: ${known.join(', ')}`
  return new EngineError('invalid_request', message)
}
