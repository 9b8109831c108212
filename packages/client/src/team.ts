// What a team has left and has asked for, and what a request would cost.
import type { Http } from './http.ts'
import type { WaitOptions } from './job.ts'

/** The price of a request before it is made. `max` is null where nothing bounds it. */
export interface PricePreview {
  readonly min: number
  /** For ordinary web pages without a retry, and a crawl up to its limit. Absent when it cannot be foreseen. */
  readonly expected?: number
  readonly max: number | null
  readonly reasons: readonly {
    readonly what: string
    readonly min: number
    readonly expected?: number
    readonly max: number | null
  }[]
}

/** The credits of the team. Null stands for no bound. */
export interface Usage {
  readonly remainingCredits: number | null
  readonly planCredits: number | null
}

/** The credits that were used in a period, of all keys or of one. */
export interface UsagePeriod {
  readonly startDate: string
  /** Null while the period lasts. */
  readonly endDate: string | null
  readonly apiKey?: string
  readonly creditsUsed: number
}

/** Which periods are listed. */
export interface UsageQuery {
  readonly timeRange?: 'day' | 'month'
  readonly byApiKey?: boolean
}

/** A request of the last 24 hours. */
export interface ActivityEntry {
  readonly id: string
  readonly endpoint: string
  readonly api_version: string | null
  readonly created_at: string
  readonly target: string | null
  /** The id of its key, where the team has keys. */
  readonly key?: string
  readonly refused?: string
  /** How long it took; absent while it goes on. */
  readonly duration_ms?: number
  readonly credits_used?: number
  /** Why it failed after its work had begun. */
  readonly failed?: string
}

/** The pages of the team that are loading or wait for it. */
export interface TeamQueue {
  readonly jobsInQueue: number
  readonly activeJobsInQueue: number
  readonly waitingJobsInQueue: number
  readonly maxConcurrency: number
  readonly mostRecentSuccess: string | null
}

/** The requests of an hour. */
export interface ActiveHour {
  readonly startDate: string
  readonly requests: number
}

/** What ended in an hour, and what it cost, of one endpoint and one key. */
export interface CostRow {
  readonly endpoint: string
  /** The id of the key, where the team has keys. */
  readonly key?: string
  readonly requests: number
  readonly failed: number
  readonly credits: number
  /** Milliseconds that all of them took together. */
  readonly ms: number
}

/** The costs of an hour. */
export interface CostHour {
  readonly startDate: string
  readonly rows: readonly CostRow[]
}

/** The team of the key, on the server. */
export interface Team {
  /** The price of a request, at least and at most, and why. Nothing of it is done. */
  preview(
    kind: 'scrape' | 'crawl' | 'batch' | 'map' | 'search' | (string & {}),
    request: object,
    options?: WaitOptions,
  ): Promise<PricePreview>
  /** The credits that are left. */
  usage(options?: WaitOptions): Promise<Usage>
  /** The credits that were used, by month or by day. */
  usageByPeriod(query?: UsageQuery, options?: WaitOptions): Promise<readonly UsagePeriod[]>
  /** The requests of the last 24 hours, the newest first. */
  activity(query?: { readonly endpoint?: string }, options?: WaitOptions): AsyncGenerator<ActivityEntry, void, void>
  /** How many requests there were in each of the last 24 hours. */
  activityByHour(options?: WaitOptions): Promise<readonly ActiveHour[]>
  /** What ended in each of the last 24 hours, and what it cost, by endpoint and key. */
  costsByHour(options?: WaitOptions): Promise<readonly CostHour[]>
  /** How many pages are loading, and how many wait. */
  queue(options?: WaitOptions): Promise<TeamQueue>
}

/** Makes the methods about the team of the key. */
export function makeTeam(http: Http): Team {
  const get = <Answer>(path: string, { signal }: WaitOptions = {}): Promise<Answer> =>
    http.ask({ method: 'GET', path, signal, isRepeatable: true })
  async function* activity(query: { readonly endpoint?: string } = {}, options?: WaitOptions) {
    const asked = new URLSearchParams({ ...query, limit: '100' })
    for (;;) {
      const page = await get<{ readonly data: readonly ActivityEntry[]; readonly cursor: string | null }>(
        `/v2/team/activity?${asked.toString()}`,
        options,
      )
      yield* page.data
      if (typeof page.cursor !== 'string') return
      asked.set('cursor', page.cursor)
    }
  }
  return {
    activity,
    activityByHour: async (options) =>
      (await get<{ readonly hours: readonly ActiveHour[] }>('/v2/team/activity/hours', options)).hours,
    costsByHour: async (options) =>
      (await get<{ readonly hours: readonly CostHour[] }>('/v2/team/activity/costs', options)).hours,
    queue: (options) => get('/v2/team/queue-status', options),
    preview: async (kind, request, { signal } = {}) => {
      const body = { kind, request }
      const ask = { method: 'POST', path: '/v2/team/preview', body, signal, isRepeatable: true } as const
      return (await http.ask<{ readonly data: PricePreview }>(ask)).data
    },
    usage: async (options) => (await get<{ readonly data: Usage }>('/v2/team/credit-usage', options)).data,
    usageByPeriod: async ({ timeRange = 'month', byApiKey = false } = {}, options) => {
      const path = `/v2/team/credit-usage/historical?timeRange=${timeRange}&byApiKey=${byApiKey}`
      return (await get<{ readonly periods: readonly UsagePeriod[] }>(path, options)).periods
    },
  }
}
