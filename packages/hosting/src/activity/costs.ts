// Costs of the requests that ended in each hour, by endpoint and key.
import { getMany, layout, makeGroupCommit } from '@harvestman/core/plugin'
import type { Clock, Store } from '@harvestman/ports'

import { hostingKeys } from '../keys.ts'
import type { BegunRequest, RequestEnd } from './request-end.ts'

/** Requests of one endpoint and one key that ended in an hour. */
export interface CostRow {
  readonly endpoint: string
  /** The id of the key; absent for requests without one. */
  readonly key?: string | undefined
  readonly requests: number
  readonly failed: number
  readonly credits: number
  /** Total duration of the requests, in milliseconds. */
  readonly ms: number
}

/** Requests that ended in an hour. */
export interface CostHour {
  readonly startDate: string
  readonly rows: readonly CostRow[]
}

export interface Costs {
  add(request: Pick<BegunRequest, 'team' | 'endpoint' | 'key'>, end: RequestEnd): Promise<unknown>
  /** Returns the last 24 clock hours in order; the current hour is last. */
  read(team: string): Promise<readonly CostHour[]>
  idle(): Promise<void>
}

interface HourRecord {
  readonly rows: readonly CostRow[]
}

const hour = 3_600_000
const life = 25 * hour
/**
 * Maximum number of rows per hour. Beyond it, requests are counted in the row of the endpoint without a key, else under the
 * endpoint `other`.
 */
const maxRows = 500
const rowsLayout = layout<HourRecord>(1, { rows: 'list' })
const nothing = { requests: 0, failed: 0, credits: 0, ms: 0 }

/** Minimum interval between writes of an hour, in milliseconds. */
const betweenWrites = 1_000

export interface CostsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly gather: (ms: number) => Promise<void>
}

/**
 * Opens the costs of each team by hour, endpoint and API key. `read` returns the last 24 hours, oldest first, with empty rows
 * for hours without requests. Calls reject if the store fails or a record is damaged.
 */
export function makeCosts({ store, clock, gather }: CostsOptions): Costs {
  const keyOf = (team: string, number: number): string => hostingKeys.activityCosts(`${team}/${number}`)
  const open = (kept: Parameters<typeof rowsLayout.open>[1]): readonly CostRow[] =>
    rowsLayout.open('The costs of an hour', kept)?.rows ?? []
  const commit = makeGroupCommit<readonly CostRow[]>(async (key, changes) => {
    await store.update(key, (kept) => rowsLayout.seal({ rows: changes(open(kept)) }), { ttl: life })
    await gather(betweenWrites)
    return []
  })
  return {
    add: ({ team, endpoint, key }, end) =>
      commit.add(keyOf(team, Math.floor(clock.now() / hour)), (rows) => withEnd(rows, endpoint, key, end)),
    read: async (team) => {
      const last = Math.floor(clock.now() / hour)
      const numbers = Array.from({ length: 24 }, (_, index) => last - 23 + index)
      const hours = await getMany(
        store,
        numbers.map((number) => keyOf(team, number)),
      )
      return numbers.map((number, index) => ({
        startDate: new Date(number * hour).toISOString(),
        rows: open(hours[index]),
      }))
    },
    idle: commit.idle,
  }
}

function withEnd(
  rows: readonly CostRow[],
  endpoint: string,
  key: string | undefined,
  { ms, credits, failed }: RequestEnd,
): readonly CostRow[] {
  const names = [{ endpoint, ...(key !== undefined && { key }) }, { endpoint }, { endpoint: 'other' }]
  const isOf = (name: (typeof names)[number], row: CostRow): boolean =>
    row.endpoint === name.endpoint && row.key === ('key' in name ? name.key : undefined)
  const name =
    (rows.length < maxRows ? names[0] : names.find((one) => rows.some((row) => isOf(one, row)))) ?? names.at(-1)
  if (!name) return rows
  const old = rows.find((row) => isOf(name, row)) ?? { ...name, ...nothing }
  const sums = {
    requests: old.requests + 1,
    failed: old.failed + (failed === undefined ? 0 : 1),
    credits: old.credits + credits,
    ms: old.ms + ms,
  }
  return [...rows.filter((row) => row !== old), { ...name, ...sums }]
}
