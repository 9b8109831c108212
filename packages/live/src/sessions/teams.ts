import type { Store, Value } from '@harvestman/ports'
import { heartbeat, layout } from '@harvestman/core/plugin'
import { liveKeys } from '../keys.ts'
import type { SessionRecords } from './records.ts'

/** Tracks the teams with open live browsers: a store cannot list its keys, and other engines must find lost sessions. */
export interface SessionTeams {
  /** Must be called after a session's record is added and before it costs anything, so that a lost session is always found. */
  note(team: string, id: string): Promise<void>
  /** Settles the lost sessions of all teams and engines. */
  settleLost(): Promise<void>
  /** Calls `settleLost` every 30 seconds. Returns a function to stop. */
  watch(): () => void
}

interface Row {
  /** The most recently opened session, by team. */
  readonly teams: Readonly<Record<string, string>>
}

const rowLayout = layout<Row>(1, { teams: 'record' })
const key = liveKeys.teams()
const looksEvery = 30_000

/**
 * Creates the record of the teams that have live browsers, so that browsers of dead engines are charged. `watch` does so every
 * 30 seconds, and returns the function that stops it. Calls reject if the store fails.
 */
export function makeSessionTeams(store: Store, records: Pick<SessionRecords, 'settleLost'>): SessionTeams {
  const read = (kept: Value | undefined): Row['teams'] =>
    rowLayout.open('The teams with live browsers', kept)?.teams ?? {}
  /** Removes a team, unless it has opened another session since. */
  const forget = (team: string, id: string): Promise<unknown> =>
    store.update(key, (kept) => {
      const { [team]: last, ...others } = read(kept)
      if (last !== id) return kept
      return Object.keys(others).length > 0 ? rowLayout.seal({ teams: others }) : undefined
    })
  const settleLost = async (): Promise<void> => {
    for (const [team, id] of Object.entries(read(await store.get(key)))) {
      const open = await records.settleLost(team)
      if (open === 0) await forget(team, id)
    }
  }
  return {
    note: async (team, id) =>
      void (await store.update(key, (kept) => rowLayout.seal({ teams: { ...read(kept), [team]: id } }))),
    settleLost,
    watch: () => heartbeat(settleLost, looksEvery),
  }
}
