// Statuses and error codes of a route, for the OpenAPI document, the docs and the tests.
import type { ErrorCode } from '@harvestman/core'
import { z } from 'zod'

import { isLimited, type Route } from '../route/route.ts'
import { ownCodes, statuses } from './errors.ts'
import { namesJob } from './refusals.ts'

/** A status of a route, and its error codes; empty for a bad job id. */
export interface DocumentedStatus {
  readonly status: number
  readonly codes: readonly string[]
}

/** Errors of every route that calls the engine. */
export const everywhere = ['store_failed', 'newer_version', 'closed', 'internal'] as const

/**
 * Returns the statuses of a route's errors, sorted, each with its error codes. 200 is among them if an error has this status,
 * as `dns_failed` does.
 */
export function statusesOf(route: Route): readonly DocumentedStatus[] {
  const pairs = [...fromTable(route), ...fromReading(route)]
  return [...Map.groupBy(pairs, ([status]) => status)]
    .map(([status, found]) => ({ status, codes: [...new Set(found.flatMap(([, code]) => code ?? []))] }))
    .toSorted((one, other) => one.status - other.status)
}

type Pair = readonly [status: number, code: string | undefined]

function fromTable({ isOpen, group, fails, unsupported, absent, words }: Route): Pair[] {
  const asksEngine = unsupported === undefined && !absent && group !== 'service'
  const codes: readonly ErrorCode[] = [
    ...(isOpen ? [] : (['unauthorized'] as const)),
    ...(isLimited(group) && !isOpen ? (['scope_missing', 'rate_limited'] as const) : []),
    ...(asksEngine ? everywhere : []),
    ...fails,
  ]
  return codes.map((code) => [
    words?.statuses?.[code] ?? statuses[code].status,
    words?.codes?.[code] ?? statuses[code].code,
  ])
}

/** Errors that occur before the engine is called. */
function fromReading(route: Route): Pair[] {
  const { input, takesBytes, query, path, needs, unsupported, absent, words } = route
  const { status, code } = statuses.invalid_request
  if (unsupported !== undefined) return [[501, ownCodes.notSupported]]
  if (absent) return [[absent.status, absent.code]]
  const pairs: Pair[] = []
  if (input || (query && mayRefuse(query))) pairs.push([status, words?.badBody === undefined ? code : undefined])
  if (path.includes('{')) pairs.push([status, namesJob(route) ? undefined : code])
  if (input) pairs.push([400, ownCodes.invalidJson], [413, ownCodes.tooLarge], [415, ownCodes.notJson])
  if (takesBytes) pairs.push([413, ownCodes.tooLarge], [415, ownCodes.notJson])
  if (needs.length > 0) pairs.push([503, statuses.not_configured.code])
  return pairs
}

const nonsense = '\0'.repeat(10_000)

/** Returns false for a query schema that replaces invalid values by defaults. */
function mayRefuse(query: z.ZodType): boolean {
  if (!(query instanceof z.ZodObject)) return true
  const all = Object.fromEntries(Object.keys(query.shape).map((name) => [name, nonsense]))
  return !query.safeParse(all).success || !query.safeParse({}).success
}
