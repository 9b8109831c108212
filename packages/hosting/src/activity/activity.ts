import { addToList, getMany, layout, makeGroupCommit, type RequestNote } from '@harvestman/core/plugin'
import { type Clock, EngineError, type Observer, type Store } from '@harvestman/ports'

import { hostingKeys } from '../keys.ts'
import type { CostHour } from './costs.ts'
import { makeEnds } from './ends.ts'
import type { BegunRequest, RequestEnd } from './request-end.ts'

/** A request to the engine. */
export interface ActivityEntry extends Omit<RequestNote, 'team'> {
  readonly createdAt: string
}

/** A request in a list, with its result if it has ended. */
export interface ListedEntry extends ActivityEntry {
  /** Absent while the request runs, and if its result is unknown. */
  readonly end?: Omit<RequestEnd, 'id' | 'at'> | undefined
}

/** Filter and position of a list of requests. */
export interface ActivityQuery {
  /** Only requests to this operation, or for jobs of this kind. */
  readonly endpoint?: string | undefined
  /** 1 to 100. Default: 50. */
  readonly limit?: number | undefined
  /** The cursor of the previous page. */
  readonly cursor?: string | undefined
}

/** A page of the list of requests. */
export interface ActivityPage {
  /** Newest first; within one millisecond, the last recorded comes first. */
  readonly entries: readonly ListedEntry[]
  /** Cursor of the next page; absent at the end. */
  readonly cursor?: string
}

/** Number of requests in an hour. */
export interface ActivityHour {
  readonly startDate: string
  readonly requests: number
}

/** Selects the team. */
interface OfTeam {
  readonly team?: string | undefined
}

/** The requests that the teams of an engine made in the last 24 hours. */
export interface Activity {
  /**
   * Records a request; the engine calls this itself. Returns before the entry is stored. If storing fails, the entry is
   * reported as lost.
   */
  note(entry: RequestNote): void
  /** Receives the engine events that end requests. */
  readonly onEvent: Observer
  /** Returns a page of the list. Following the cursors returns each entry that existed at the start exactly once. */
  list(query?: ActivityQuery, call?: OfTeam): Promise<ActivityPage>
  /** Returns the request whose result has this id and that began at `since` or later. May also return an older one. */
  find(id: string, call: OfTeam & { readonly since: number }): Promise<ListedEntry | undefined>
  /** Returns the number of requests in each of the last 24 clock hours; the current hour is last. Cheaper than `list`. */
  byHour(call?: OfTeam): Promise<readonly ActivityHour[]>
  /** Returns the costs of requests that ended in each of the last 24 clock hours, by endpoint and key. */
  costs(call?: OfTeam): Promise<readonly CostHour[]>
  /** Resolves when all entries are stored. */
  idle(): Promise<void>
}

export interface ActivityOptions {
  readonly store: Store
  readonly clock: Clock
  readonly lost: (error: unknown) => void
  /** The team of calls without a team. */
  readonly team: string
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** Number of minutes that are read at once. */
const readAhead = 60
const limits = { most: 100, usual: 50 }
/**
 * Maximum number of rejected requests that each engine records per team and minute. Rejected requests cost a team nothing and
 * must not fill the store.
 */
const maxRefused = 1_000
/** Maximum delay to batch writes, in milliseconds. */
const maxBatchDelay = 1_000
const entryLayout = layout<ActivityEntry>(1, { createdAt: 'text' })

/**
 * Opens the activity log of a server's teams, with at most 1,000 refused requests per team and minute. `note` never throws: a
 * write that fails is passed to `lost`. Reads reject if the store fails, `list` also with `invalid_request` for an invalid
 * cursor. Entries are stored in one list per minute: entries of the same time share a write, and stored entries never change.
 */
export function makeActivity({ store, clock, lost, team: ofNone }: ActivityOptions): Activity {
  const keyOf = (team: string, at: number): string => hostingKeys.activity(`${team}/${Math.floor(at / minute)}`)
  const counts = countsOfMinute()
  const gathering = makeGathering(clock)
  const commit = makeGroupCommit<readonly ActivityEntry[]>(async (key, changes) => {
    const entries = changes([])
    const sealed = entries.map((entry) => entryLayout.seal(entry))
    await addToList(store, key, sealed, { ttl: day + minute })
    // Most stores rewrite a list to append to it, so the longer it is, the more entries each write should have.
    await gathering.wait(counts.find(key)?.noted ?? 0)
    return entries
  })
  /** Reads the lists of the last `readAhead` minutes, newest first. */
  const lists = async (team: string, last: number): Promise<readonly unknown[]> => {
    return getMany(
      store,
      Array.from({ length: readAhead }, (_, back) => keyOf(team, last - back * minute)),
    )
  }
  const find = async (team: string, id: string, at: number): Promise<BegunRequest | undefined> => {
    await gathering.without(commit.idle)
    return findIn(await getMany(store, [keyOf(team, at), keyOf(team, at + minute)]), team, id)
  }
  const ends = makeEnds({ store, clock, lost, find, gather: gathering.wait })
  const idle = (): Promise<void> => gathering.without(async () => commit.idle().then(ends.idle))
  const read = async (team: string, last: number): Promise<Placed[]> => {
    const [kept, ended] = await Promise.all([lists(team, last), ends.of(team, last)])
    const placed = kept.flatMap((list) => entriesOf(list).toSorted((one, other) => newestFirst(one.at, other.at)))
    return placed.map(({ entry, at }) => ({ entry: withEnd(entry, ended.get(entry.id)), at }))
  }

  return {
    note: ({ team, ...entry }) => {
      const now = clock.now()
      const key = keyOf(team, now)
      const count = counts.at(key, now)
      if (entry.refused !== undefined && (count.refused += 1) > maxRefused) return
      count.noted += 1
      if (entry.refused === undefined) ends.begun({ ...entry, team, at: now })
      const noted = { ...entry, createdAt: new Date(now).toISOString() }
      commit.add(key, (entries) => [...entries, noted]).catch(lost)
    },
    list: async (query = {}, { team = ofNone } = {}) => {
      // Include everything that was recorded before this call.
      await idle()
      return listOf(query, clock.now(), (last) => read(team, last))
    },
    find: async (id, { team = ofNone, since }) => {
      await idle()
      return findEntry(id, { from: clock.now(), since }, (last) => read(team, last))
    },
    byHour: async ({ team = ofNone } = {}) => {
      await idle()
      return countHours(clock.now(), (last) => lists(team, last))
    },
    costs: async ({ team = ofNone } = {}) => {
      await idle()
      return ends.read(team)
    },
    onEvent: ends.onEvent,
    idle,
  }
}

/** Searches the entries back to a time, newest first. */
async function findEntry(
  id: string,
  { from, since }: { readonly from: number; readonly since: number },
  read: (last: number) => Promise<readonly Placed[]>,
): Promise<ActivityEntry | undefined> {
  for (let last = from; last > since - minute; last -= readAhead * minute) {
    const found = (await read(last)).find(({ entry }) => entry.id === id)
    if (found) return found.entry
  }
  return undefined
}

/** Returns a page of the requests of the last 24 hours. */
async function listOf(
  { endpoint, limit = limits.usual, cursor }: ActivityQuery,
  now: number,
  read: (last: number) => Promise<readonly Placed[]>,
): Promise<ActivityPage> {
  const before = cursor === undefined ? undefined : parseCursor(cursor)
  const oldest = now - day
  const most = Math.min(Math.max(Math.floor(limit), 1), limits.most)
  const isWanted = ({ entry, at }: Placed): boolean =>
    (endpoint === undefined || entry.endpoint === endpoint) &&
    Date.parse(at.createdAt) > oldest &&
    (before === undefined || newestFirst(before, at) < 0)
  const found: Placed[] = []
  const first = Math.min(before ? Date.parse(before.createdAt) : now, now)
  for (let last = first; last > oldest - minute && found.length <= most; last -= readAhead * minute) {
    found.push(...(await read(last)).filter(isWanted))
  }
  const shown = found.slice(0, most)
  const end = shown.at(-1)?.at
  const entries = shown.map(({ entry }) => entry)
  return { entries, ...(end && found.length > most && { cursor: cursorOf(end) }) }
}

function findIn(lists: readonly unknown[], team: string, id: string): BegunRequest | undefined {
  const found = lists.flatMap(entriesOf).find(({ entry }) => entry.id === id && entry.refused === undefined)?.entry
  return found && { ...found, team, at: Date.parse(found.createdAt) }
}

function withEnd(entry: ActivityEntry, found: RequestEnd | undefined): ListedEntry {
  if (!found || entry.refused !== undefined) return entry
  const { id: _, at = Date.parse(entry.createdAt), ...end } = found
  // Several requests may share a job: its cost belongs to the request that started it.
  if (at !== Date.parse(entry.createdAt)) return entry
  return { ...entry, end }
}

/** Counts list entries without decoding them. */
async function countHours(now: number, read: (last: number) => Promise<readonly unknown[]>): Promise<ActivityHour[]> {
  const current = Math.floor(now / hour)
  const found: ActivityHour[] = []
  for (let number = current - 23; number <= current; number += 1) {
    const lists = await read((number + 1) * hour - minute)
    const requests = lists.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0)
    found.push({ startDate: new Date(number * hour).toISOString(), requests })
  }
  return found
}

interface MinuteCount {
  noted: number
  refused: number
}

/** Counts what this engine recorded in the current minute, by list key. */
function countsOfMinute() {
  const counts = new Map<string, MinuteCount>()
  let current = 0
  return {
    find: (key: string): MinuteCount | undefined => counts.get(key),
    at: (key: string, now: number): MinuteCount => {
      const at = Math.floor(now / minute)
      if (at !== current) counts.clear()
      current = at
      const count = counts.get(key) ?? { noted: 0, refused: 0 }
      counts.set(key, count)
      return count
    },
  }
}

/** Delays writes to batch entries: a millisecond per entry, skipped while a reader waits for them. */
function makeGathering(clock: Clock) {
  let hurry = new AbortController()
  let asking = 0
  return {
    wait: async (notes: number): Promise<void> => {
      if (asking > 0) return
      await clock.sleep(Math.min(notes, maxBatchDelay), hurry.signal).catch(() => undefined)
    },
    without: async (work: () => Promise<void>): Promise<void> => {
      asking += 1
      hurry.abort()
      hurry = new AbortController()
      try {
        await work()
      } finally {
        asking -= 1
      }
    },
  }
}

/** Position of an entry. Lists only grow, so within one millisecond the higher index is newer. */
interface Position {
  readonly createdAt: string
  readonly place: number
}

interface Placed {
  readonly entry: ListedEntry
  readonly at: Position
}

/** Decodes the list of a minute. */
function entriesOf(kept: unknown): readonly Placed[] {
  return ((kept ?? []) as Parameters<typeof entryLayout.open>[1][]).flatMap((one, place) => {
    const entry = entryLayout.openWhole('Activity', one)
    return entry ? [{ entry, at: { createdAt: entry.createdAt, place } }] : []
  })
}

function newestFirst(one: Position, other: Position): number {
  if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt ? -1 : 1
  return other.place - one.place
}

function cursorOf({ createdAt, place }: Position): string {
  return Buffer.from(`${createdAt} ${place}`).toString('base64url')
}

function parseCursor(cursor: string): Position {
  const [createdAt = '', place = ''] = Buffer.from(cursor.slice(0, 200), 'base64url').toString().split(' ')
  if (/^\d+$/.test(place) && Number.isFinite(Date.parse(createdAt))) return { createdAt, place: Number(place) }
  throw new EngineError('invalid_request', 'cursor is not a cursor of this list. Omit it to start with the newest.')
}
