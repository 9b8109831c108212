import { type Clock, EngineError, type Json, type Store } from '@harvestman/ports'
import { layout } from '../records/layout.ts'

/** What is kept of a live browser, also when it is gone. */
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

export interface SessionEnd {
  readonly at: number
  /** Milliseconds that it lived. */
  readonly duration: number
  readonly credits: number
}

/** The live browsers of all teams, in the store that their engines share. */
export interface SessionBook {
  /** Writes a new one down. Rejects when the team has too many, and when its scrape had one already. */
  add(team: string, record: SessionRecord, most?: number): Promise<void>
  change(team: string, id: string, change: (record: SessionRecord) => SessionRecord): Promise<SessionRecord | undefined>
  /** The newest first. */
  list(team: string): Promise<readonly SessionRecord[]>
}

export interface BookOptions {
  readonly store: Store
  readonly clock: Clock
  /** Sessions of one team at once. */
  readonly most: number
  /** Milliseconds that a session which is gone stays listed. */
  readonly life: number
  readonly isGone: (owner: string) => boolean
}

interface Page {
  readonly sessions: readonly SessionRecord[]
}

const pageLayout = layout<Page>(1)
// Those that ended longest ago are forgotten first; a team cannot open so many in a day within its limits.
const mostKept = 2_000

export function makeSessionBook({ store, clock, most, life, isGone }: BookOptions): SessionBook {
  const keyOf = (team: string): string => `sessions/${team}`
  const read = (team: string, kept: Parameters<typeof pageLayout.open>[1]): readonly SessionRecord[] =>
    (pageLayout.open(`The sessions of ${team}`, kept)?.sessions ?? []).map((record) =>
      ended(record, isGone, clock.now()),
    )

  const update = async (
    team: string,
    change: (all: readonly SessionRecord[]) => readonly SessionRecord[],
  ): Promise<void> => {
    const fresh = (all: readonly SessionRecord[]): readonly SessionRecord[] =>
      all.filter(({ end }) => !end || clock.now() - end.at < life).slice(0, mostKept)
    const next = (old: Parameters<typeof pageLayout.open>[1]): Json =>
      pageLayout.seal({ sessions: fresh(change(read(team, old))) })
    await store.update(keyOf(team), next, { ttl: life })
  }

  return {
    add: (team, record, mostOfTeam = most) =>
      update(team, (all) => {
        const other = all.find(({ scrapeId }) => scrapeId !== undefined && scrapeId === record.scrapeId)
        if (other) throw other.end ? sessionOver() : elsewhere()
        if (all.filter(({ end }) => !end).length >= mostOfTeam) throw tooMany(mostOfTeam)
        return [record, ...all]
      }),
    change: async (team, id, change) => {
      let changed: SessionRecord | undefined
      await update(team, (all) => all.map((record) => (record.id === id ? (changed = change(record)) : record)))
      return changed
    },
    list: async (team) => read(team, await store.get(keyOf(team))),
  }
}

/** A session whose engine is gone is gone too, though its end could not be written down. */
function ended(record: SessionRecord, isGone: (owner: string) => boolean, now: number): SessionRecord {
  const { end, owner, createdAt, expiresAt, lastActivity } = record
  if (end || (!isGone(owner) && now < expiresAt + overdue)) return record
  const at = Math.min(Math.max(lastActivity, createdAt), expiresAt)
  return { ...record, end: { at, duration: at - createdAt, credits: 0 } }
}

// Its own engine ends a session on time; one of another machine that says nothing is taken for gone after this.
const overdue = 60_000

export function sessionOver(): EngineError {
  return new EngineError('session_over', 'The live browser has ended. Scrape the page again to get another one.')
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
