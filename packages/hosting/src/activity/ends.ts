// Results of requests. Each is stored in a list for the minute in which its request was recorded, and added to the costs of its
// hour.
import { addToList, getMany, layout, makeGroupCommit } from '@harvestman/core/plugin'
import type { Clock, EngineEvent, Observer, Store } from '@harvestman/ports'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'

import { hostingKeys } from '../keys.ts'
import { makeCosts, type Costs } from './costs.ts'
import type { BegunRequest, RequestEnd } from './request-end.ts'

export interface Ends extends Pick<Costs, 'read'> {
  /** Remembers a request that began in this engine. */
  begun(request: BegunRequest): void
  /** Receives the engine events that end requests. */
  readonly onEvent: Observer
  /** Returns the results of the requests that a team made in the hour before `last`, by request id. */
  of(team: string, last: number): Promise<ReadonlyMap<string, RequestEnd>>
  idle(): Promise<void>
}

export interface EndsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly lost: (error: unknown) => void
  /** Waits a millisecond per entry, so that more entries share the next write. Skipped while a reader waits for them. */
  readonly gather: (there: number) => Promise<void>
  /** Finds a request that another engine recorded, in the minute of `at` or the following one. */
  readonly find: (team: string, id: string, at: number) => Promise<BegunRequest | undefined>
}

const minute = 60_000
const life = 24 * 60 * minute + minute
/** Maximum number of running requests in memory. The result of an older one is lost. */
const maxOpenRequests = 20_000
/** Maximum number of results in memory that arrived before their request was recorded. */
const maxEarlyResults = 1_000
const endLayout = layout<RequestEnd>(1, { id: 'text', ms: 'number', credits: 'number' })

/**
 * Creates the record of how requests ended, with their costs, from events of the engine. Writes that fail are passed to
 * `lost`; `of` and `read` reject if the store fails.
 */
export function makeEnds({ store, clock, lost, gather, find }: EndsOptions): Ends {
  const open = recentlyUsed<string, BegunRequest>(maxOpenRequests)
  const early = recentlyUsed<string, RequestEnd>(maxEarlyResults)
  const finding = new Set<Promise<unknown>>()
  const costs = makeCosts({ store, clock, gather })
  const keyOf = (team: string, at: number): string => hostingKeys.activityEnds(`${team}/${Math.floor(at / minute)}`)
  const commit = makeGroupCommit<readonly RequestEnd[]>(async (key, changes) => {
    const ends = changes([])
    const sealed = ends.map((end) => endLayout.seal(end))
    await addToList(store, key, sealed, { ttl: life })
    await gather(ends.length)
    return ends
  })
  const add = (request: BegunRequest, end: RequestEnd): void => {
    commit.add(keyOf(request.team, request.at), (ends) => [...ends, { ...end, at: request.at }]).catch(lost)
    costs.add(request, end).catch(lost)
  }
  /** The job may have been started through another engine, or may have ended before it was recorded. */
  const findAndAdd = async (team: string, at: number, end: RequestEnd): Promise<void> => {
    const request = await find(team, end.id, at)
    if (request) add(request, end)
    else early.set(end.id, end)
  }

  return {
    read: costs.read,
    begun: (request) => {
      const end = early.get(request.id)
      early.delete(request.id)
      if (end) add(request, end)
      // A later request for a job that already runs did not start it.
      else if (!open.get(request.id)) open.set(request.id, request)
    },
    onEvent: (event) => {
      const end = endOf(event)
      if (!end) return
      const request = open.get(end.id)
      open.delete(end.id)
      if (request) return add(request, end)
      if (event.kind !== 'job.ended') return
      const looking = findAndAdd(event.team, event.at - end.ms, end).catch(lost)
      finding.add(looking)
      void looking.finally(() => finding.delete(looking))
    },
    of: async (team, last) => {
      // 61 lists: a request of the last millisecond of a minute may have been recorded in the next minute.
      const keys = Array.from({ length: 61 }, (_, back) => keyOf(team, last - back * minute))
      const lists = await getMany(store, keys)
      const ends = lists.flatMap((list) => (Array.isArray(list) ? list : []) as Parameters<typeof endLayout.open>[1][])
      const opened = ends.flatMap((one) => endLayout.openWhole('The end of a request', one) ?? [])
      return new Map(opened.map((end) => [end.id, end]))
    },
    idle: async () => {
      await Promise.all(finding)
      await Promise.all([commit.idle(), costs.idle()])
    },
  }
}

/**
 * Returns the result that an event reports, if it ends a request. All such events have a duration, and credits or an error
 * code.
 */
function endOf(event: EngineEvent): RequestEnd | undefined {
  const { id } = event
  if (!('ms' in event)) return undefined
  if ('code' in event) return { id, ms: event.ms, credits: 0, failed: event.code }
  if (!('credits' in event)) return undefined
  const failed = 'status' in event && event.status !== 'completed' ? { failed: event.status } : {}
  const failedPages = 'failedPages' in event && event.failedPages ? { failedPages: event.failedPages } : {}
  return { id, ms: event.ms, credits: event.credits, ...failed, ...failedPages }
}
