import { type Clock, EngineError, type Json, type Store } from '@harvestman/ports'
import { layout } from '@harvestman/core/plugin'
import { liveKeys } from '../keys.ts'
import { sessionPrice } from '../price.ts'

/** The record of a live browser, which remains after its end. */
export interface SessionRecord {
  readonly id: string
  /** The scrape whose page it was opened with. */
  readonly scrapeId?: string | undefined
  /** The engine that runs it. */
  readonly owner: string
  readonly streamWebView: boolean
  readonly createdAt: number
  readonly expiresAt: number
  readonly lastActivity: number
  readonly end?: SessionEnd | undefined
}

/** A record with the fields that only storage and billing use. */
export interface KeptSession extends SessionRecord {
  /** The API key that opened it, for usage statistics by key. */
  readonly key?: string | undefined
  /** Whether its browser was opened. A session that was lost before that is free. */
  readonly hasBegun?: boolean | undefined
  /** Whether a prompt was run in it, which raises its price. */
  readonly wasAsked?: boolean | undefined
}

/** Reasons why a live browser ended, with their messages. */
export const endReasons = {
  stopped: 'It was stopped.',
  lifetime: 'It reached its maximum lifetime.',
  unused: 'It was unused for too long.',
  lost: 'Its browser was lost.',
  closed: 'Its server was stopped.',
} as const

/** The reason why a live browser ended. */
export type SessionEndReason = keyof typeof endReasons

/** The end of a live browser. */
export interface SessionEnd {
  readonly at: number
  /** How long it was open, in milliseconds. */
  readonly duration: number
  readonly credits: number
  /** `undefined` if it was never opened. */
  readonly reason?: SessionEndReason | undefined
  /** `false` if the profile could not be saved. Only in the result of the call in the engine that had the browser. */
  readonly saved?: false
}

/** The live browsers of all teams, in the store that their engines share. */
export interface SessionRecords {
  /**
   * Adds a record. Rejects with `too_many_sessions` if the team has too many, or with `session_over` or `conflict` if its
   * scrape already had one.
   */
  add(team: string, record: KeptSession, most?: number): Promise<void>
  change(team: string, id: string, change: (record: KeptSession) => KeptSession): Promise<KeptSession | undefined>
  /** Lists the records, newest first, and tries to settle lost sessions. */
  list(team: string): Promise<readonly SessionRecord[]>
  /** Settles lost sessions and marks them as ended. Returns the number of open sessions. */
  settleLost(team: string): Promise<number>
}

export interface RecordsOptions {
  readonly store: Store
  readonly clock: Clock
  /** Maximum number of open sessions per team. */
  readonly most: number
  /** How long an ended session stays listed, in milliseconds. */
  readonly life: number
  readonly isGone: (owner: string) => boolean
  /** Charges a session whose engine could not do so. Charging the same session again has no effect. */
  readonly settle: (team: string, record: KeptSession, credits: number) => Promise<void>
}

interface Page {
  readonly sessions: readonly KeptSession[]
}

const pageLayout = layout<Page>(1, { sessions: 'list' })
// Maximum number of records per team. The ones that ended longest ago are dropped; the limits on open sessions keep a team from
// reaching this in a day.
const maxRecords = 2_000

/**
 * Opens the stored records of the live browsers of teams, at most 2,000 per team. Browsers whose engine is dead count as ended,
 * and are charged at the next `list` or `settleLost`. `add` rejects with `too_many_sessions` if the team has too many open
 * browsers, `conflict` if one is open for the same scrape, and `session_over` if one has ended.
 */
export function makeSessionRecords({ store, clock, most, life, isGone, settle }: RecordsOptions): SessionRecords {
  const keyOf = (team: string): string => liveKeys.sessions(team)
  const read = (team: string, kept: Parameters<typeof pageLayout.open>[1]): readonly KeptSession[] =>
    pageLayout.open(`The sessions of ${team}`, kept)?.sessions ?? []
  const withEnd = (record: KeptSession): KeptSession => ended(record, isGone, clock.now())

  const update = async (
    team: string,
    change: (all: readonly KeptSession[]) => readonly KeptSession[],
  ): Promise<void> => {
    const fresh = (all: readonly KeptSession[]): readonly KeptSession[] =>
      all.filter(({ end }) => !end || clock.now() - end.at < life).slice(0, maxRecords)
    const next = (old: Parameters<typeof pageLayout.open>[1]): Json =>
      pageLayout.seal({ sessions: fresh(change(read(team, old))) })
    await store.update(keyOf(team), next, { ttl: life })
  }

  const change: SessionRecords['change'] = async (team, id, make) => {
    let changed: KeptSession | undefined
    await update(team, (all) => all.map((record) => (record.id === id ? (changed = make(record)) : record)))
    return changed
  }

  /** Marks a session as ended only after it was charged: if this fails in between, the next caller repeats it. */
  const close = async (team: string, record: KeptSession, end: SessionEnd): Promise<void> => {
    await settle(team, record, end.credits)
    await change(team, record.id, (one) => (one.end ? one : { ...one, end }))
  }

  const readAll = async (team: string): Promise<readonly KeptSession[]> => read(team, await store.get(keyOf(team)))

  const settleLost = async (team: string, all: readonly KeptSession[]): Promise<number> => {
    for (const record of all) {
      const { end } = withEnd(record)
      if (end && !record.end) await close(team, record, end)
    }
    return all.filter((record) => !withEnd(record).end).length
  }

  return {
    add: (team, record, maxOpen = most) =>
      update(team, (kept) => {
        const all = kept.map(withEnd)
        const other = all.find(({ scrapeId }) => scrapeId !== undefined && scrapeId === record.scrapeId)
        if (other) throw other.end ? sessionOver() : elsewhere()
        if (all.filter(({ end }) => !end).length >= maxOpen) throw tooMany(maxOpen)
        return [record, ...kept]
      }),
    change,
    list: async (team) => {
      const all = await readAll(team)
      // A caller of the list must not get an error because of a session that cannot be settled now.
      await settleLost(team, all).catch(() => undefined)
      return all.map(withEnd)
    },
    settleLost: async (team) => settleLost(team, await readAll(team)),
  }
}

/**
 * Returns the record with an end if its engine is dead, which could then not record the end itself. The last use counts as the
 * end.
 */
function ended(record: KeptSession, isGone: (owner: string) => boolean, now: number): KeptSession {
  const { end, owner, createdAt, expiresAt, lastActivity, hasBegun, wasAsked = false } = record
  if (end || (!isGone(owner) && now < expiresAt + overdue)) return record
  const at = Math.min(Math.max(lastActivity, createdAt), expiresAt)
  const duration = at - createdAt
  return { ...record, end: { at, duration, credits: hasBegun ? sessionPrice(duration, wasAsked) : 0, reason: 'lost' } }
}

// An engine ends its sessions on time. If one on another host does not, it is considered dead after this time in milliseconds.
const overdue = 60_000

/** Creates the `session_over` error for a live browser that has ended. */
export function sessionOver(reason?: SessionEndReason): EngineError {
  const then = reason === undefined ? 'Scrape the page again to get another one.' : endReasons[reason]
  return new EngineError('session_over', `The live browser has ended. ${then}`)
}

function elsewhere(): EngineError {
  return new EngineError(
    'conflict',
    'The live browser of this scrape runs in another engine. Send the request to that one.',
  )
}

function tooMany(most: number): EngineError {
  return new EngineError(
    'too_many_sessions',
    `Your team has ${most} live browsers open, which is the maximum. Stop one of them.`,
  )
}
