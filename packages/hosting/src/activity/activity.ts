import { addToList, getMany, layout, makeGroupCommit, type RequestNote } from '@harvestman/core/plugin'
import { type Clock, EngineError, type Observer, type Store } from '@harvestman/ports'

import { hostingKeys } from '../keys.ts'
import type { CostHour } from './costs.ts'
import { makeEnds } from './ends.ts'
import type { BegunRequest, RequestEnd } from './request-end.ts'

/** Something that was asked of the engine. */
export interface ActivityEntry extends Omit<RequestNote, 'team'> {
  readonly createdAt: string
}

/** The same in a list, with its end where it has ended. */
export interface ListedEntry extends ActivityEntry {
  /** Absent while it goes on, and where its end is not known. */
  readonly end?: Omit<RequestEnd, 'id' | 'at'> | undefined
}

/** Which requests are listed. */
export interface ActivityQuery {
  /** Only what was asked of one part of the engine, or for one kind of job. */
  readonly endpoint?: string | undefined
  /** 1 to 100; 50 when absent. */
  readonly limit?: number | undefined
  /** Where the page before ended. */
  readonly cursor?: string | undefined
}

/** A page of the list of requests. */
export interface ActivityPage {
  /** Newest first; of one millisecond, what came last. */
  readonly entries: readonly ListedEntry[]
  /** Where to read on; absent at the end. */
  readonly cursor?: string
}

/** How much was asked for in an hour. */
export interface ActivityHour {
  readonly startDate: string
  readonly requests: number
}

/** Whose activity it is. */
interface OfTeam {
  readonly team?: string | undefined
}

/** What the teams of an engine asked of it in the last 24 hours. */
export interface Activity {
  /** Notes something now, which an engine does by itself. It is not waited for: a note that cannot be kept is told of and lost. */
  note(entry: RequestNote): void
  /** Hears of what ends, as an observer does. */
  readonly told: Observer
  /** A page of the list. A walk from page to page meets each entry once that was there when it began. */
  list(query?: ActivityQuery, call?: OfTeam): Promise<ActivityPage>
  /** How much was asked for in each of the last 24 hours of the clock, the one that is now the last. Nothing is listed. */
  byHour(call?: OfTeam): Promise<readonly ActivityHour[]>
  /** What ended in each of the last 24 hours of the clock, and what it cost, by endpoint and key. */
  costs(call?: OfTeam): Promise<readonly CostHour[]>
  /** Resolves when all notes are kept. */
  idle(): Promise<void>
}

export interface ActivityOptions {
  readonly store: Store
  readonly clock: Clock
  readonly lost: (error: unknown) => void
  /** The team of work that names none. */
  readonly team: string
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** Minutes that are read at once: an hour of them. */
const readAhead = 60
const limits = { most: 100, usual: 50 }
/** Of what a team is refused in a minute, so much is noted by each engine: asking in vain costs a team nothing, and must not fill a store. */
const mostRefused = 1_000
/** The longest that notes gather, in milliseconds. */
const longestGathering = 1_000
const entryLayout = layout<ActivityEntry>(1, { createdAt: 'text' })

// A list for each minute: what comes together is one write, and nothing that is kept is ever changed.
export function makeActivity({ store, clock, lost, team: ofNone }: ActivityOptions): Activity {
  const keyOf = (team: string, at: number): string => hostingKeys.activity(`${team}/${Math.floor(at / minute)}`)
  const counts = countsOfMinute()
  const gathering = makeGathering(clock)
  const commit = makeGroupCommit<readonly ActivityEntry[]>(async (key, changes) => {
    const entries = changes([])
    await addToList(
      store,
      key,
      entries.map((entry) => entryLayout.seal(entry)),
      { ttl: day + minute },
    )
    // Most stores write a list anew that grows: the longer it is, the more should come at once.
    await gathering.wait(counts.find(key)?.noted ?? 0)
    return entries
  })
  /** The lists of the minutes that are read at once, the newest first. */
  const lists = async (team: string, last: number): Promise<readonly unknown[]> => {
    const keys = Array.from({ length: readAhead }, (_, back) => keyOf(team, last - back * minute))
    return getMany(store, keys)
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
      if (entry.refused !== undefined && (count.refused += 1) > mostRefused) return
      count.noted += 1
      if (entry.refused === undefined) ends.begun({ ...entry, team, at: now })
      const noted = { ...entry, createdAt: new Date(now).toISOString() }
      commit.add(key, (entries) => [...entries, noted]).catch(lost)
    },
    list: async (query = {}, { team = ofNone } = {}) => {
      // What was noted here before this was asked is in it.
      await idle()
      return listOf(query, clock.now(), (last) => read(team, last))
    },
    byHour: async ({ team = ofNone } = {}) => {
      await idle()
      return countHours(clock.now(), (last) => lists(team, last))
    },
    costs: async ({ team = ofNone } = {}) => {
      await idle()
      return ends.read(team)
    },
    told: ends.told,
    idle,
  }
}

/** A page of what was asked for in the day before now. */
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
  // Several requests may be for the same: what it cost is the cost of the one that has begun it.
  if (at !== Date.parse(entry.createdAt)) return entry
  return { ...entry, end }
}

/** Nothing is opened: what a minute has is as much as its list is long. */
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

/** What was noted here in the minute that is now, by the key of its list. */
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

/** Waits while notes gather, a millisecond for each that is there; not while they are wanted. */
function makeGathering(clock: Clock) {
  let hurry = new AbortController()
  let asking = 0
  return {
    wait: async (notes: number): Promise<void> => {
      if (asking > 0) return
      await clock.sleep(Math.min(notes, longestGathering), hurry.signal).catch(() => undefined)
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

/** Where an entry is in the list of its minute, which only grows: of one millisecond, the later place is the newer entry. */
interface Position {
  readonly createdAt: string
  readonly place: number
}

interface Placed {
  readonly entry: ListedEntry
  readonly at: Position
}

/** The entries of the list of a minute. */
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
  throw new EngineError('invalid_request', 'cursor: it is not one of this list. Leave it out to begin at the newest.')
}
