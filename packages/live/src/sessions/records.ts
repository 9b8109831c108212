import { type Clock, EngineError, type Json, type Store } from '@harvestman/ports'
import { layout } from '@harvestman/core/plugin'
import { liveKeys } from '../keys.ts'
import { sessionPrice } from '../price.ts'

/** Record of a live browser, also when it is gone. */
export interface SessionRecord {
  readonly id: string
  /** The scrape that it goes on from. */
  readonly scrapeId?: string | undefined
  /** The engine that has it. */
  readonly owner: string
  readonly streamWebView: boolean
  readonly createdAt: number
  readonly expiresAt: number
  readonly lastActivity: number
  readonly end?: SessionEnd | undefined
}

/** Record with what only the table and the bill look at. */
export interface KeptSession extends SessionRecord {
  /** The API key that opened it, for the usage by key. */
  readonly key?: string | undefined
  /** Its browser was there: one that was lost before costs nothing. */
  readonly hasBegun?: boolean | undefined
  /** A model was asked in it, which costs more. */
  readonly wasAsked?: boolean | undefined
}

/** Reasons why a live browser ended, and the sentences about them. */
export const endReasons = {
  stopped: 'It was stopped.',
  lifetime: 'It had lived for as long as was allowed.',
  unused: 'It had not been used for as long as was allowed.',
  lost: 'Its browser was lost.',
  closed: 'Its server was stopped.',
} as const

/** Reason why a live browser ended. */
export type SessionEndReason = keyof typeof endReasons

/** End of a live browser. */
export interface SessionEnd {
  readonly at: number
  /** Milliseconds that it lived. */
  readonly duration: number
  readonly credits: number
  /** Absent when it never opened. */
  readonly reason?: SessionEndReason | undefined
}

/** The live browsers of all teams, in the store that their engines share. */
export interface SessionRecords {
  /** Writes a new one down. Rejects when the team has too many, and when its scrape had one already. */
  add(team: string, record: KeptSession, most?: number): Promise<void>
  change(team: string, id: string, change: (record: KeptSession) => KeptSession): Promise<KeptSession | undefined>
  /** The newest first. Those that were lost are settled with this, if they can be. */
  list(team: string): Promise<readonly SessionRecord[]>
  /** Settles those that were lost and writes them down as ended. Gives how many are open. */
  settleLost(team: string): Promise<number>
}

export interface RecordsOptions {
  readonly store: Store
  readonly clock: Clock
  /** Sessions of one team at once. */
  readonly most: number
  /** Milliseconds that a session which is gone stays listed. */
  readonly life: number
  readonly isGone: (owner: string) => boolean
  /** Has a session paid for whose engine could not do it. The same again takes nothing. */
  readonly settle: (team: string, record: KeptSession, credits: number) => Promise<void>
}

interface Page {
  readonly sessions: readonly KeptSession[]
}

const pageLayout = layout<Page>(1, { sessions: 'list' })
// Sessions that ended longest ago are forgotten first; a team cannot open so many in a day within its limits.
const mostKept = 2_000

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
      all.filter(({ end }) => !end || clock.now() - end.at < life).slice(0, mostKept)
    const next = (old: Parameters<typeof pageLayout.open>[1]): Json =>
      pageLayout.seal({ sessions: fresh(change(read(team, old))) })
    await store.update(keyOf(team), next, { ttl: life })
  }

  const change: SessionRecords['change'] = async (team, id, make) => {
    let changed: KeptSession | undefined
    await update(team, (all) => all.map((record) => (record.id === id ? (changed = make(record)) : record)))
    return changed
  }

  /** It is written down as ended when it is paid for, and not before: what fails in between is done again by the next who looks. */
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
    add: (team, record, mostOfTeam = most) =>
      update(team, (kept) => {
        const all = kept.map(withEnd)
        const other = all.find(({ scrapeId }) => scrapeId !== undefined && scrapeId === record.scrapeId)
        if (other) throw other.end ? sessionOver() : elsewhere()
        if (all.filter(({ end }) => !end).length >= mostOfTeam) throw tooMany(mostOfTeam)
        return [record, ...kept]
      }),
    change,
    list: async (team) => {
      const all = await readAll(team)
      // A caller that looks at the list is not to blame for what cannot be settled now.
      await settleLost(team, all).catch(() => undefined)
      return all.map(withEnd)
    },
    settleLost: async (team) => settleLost(team, await readAll(team)),
  }
}

/** A session whose engine is gone is gone too, though its end could not be written down. It lived until it was last used. */
function ended(record: KeptSession, isGone: (owner: string) => boolean, now: number): KeptSession {
  const { end, owner, createdAt, expiresAt, lastActivity, hasBegun, wasAsked = false } = record
  if (end || (!isGone(owner) && now < expiresAt + overdue)) return record
  const at = Math.min(Math.max(lastActivity, createdAt), expiresAt)
  const duration = at - createdAt
  return { ...record, end: { at, duration, credits: hasBegun ? sessionPrice(duration, wasAsked) : 0, reason: 'lost' } }
}

// Its own engine ends a session on time; one of another machine that says nothing is taken for gone after this.
const overdue = 60_000

export function sessionOver(reason?: SessionEndReason): EngineError {
  const then = reason === undefined ? 'Scrape the page again to get another one.' : endReasons[reason]
  return new EngineError('session_over', `The live browser has ended. ${then}`)
}

function elsewhere(): EngineError {
  return new EngineError('conflict', 'The live browser of this scrape is held by another engine. Ask that one.')
}

function tooMany(most: number): EngineError {
  return new EngineError(
    'too_many_sessions',
    `Your team has ${most} live browsers open, and no more are allowed. Stop one of them.`,
  )
}
