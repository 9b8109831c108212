import { oldestKeys } from '@harvestman/ports/adapters'

/** Memory that many teams share: the team with the most loses first, so no team drives the others out. */
export interface FairlyKept<T> {
  get(team: string, key: string): T | undefined
  /** Keeps a value that has so many bytes, in the place of the one before. One that is too large is not kept. */
  set(team: string, key: string, value: T, bytes: number): void
}

interface Entry<T> {
  readonly value: T
  readonly bytes: number
}

interface OfTeam<T> {
  /** Entries in the order of their last use. */
  readonly entries: Map<string, Entry<T>>
  readonly oldest: () => string | undefined
  newest: Entry<T> | undefined
  bytes: number
}

/** Bytes that one entry costs beside its value; they bound how many entries there are. */
const overhead = 500
/** The part of the room that one value may take at most. */
const largest = 1 / 8

/** Makes a memory of so many bytes. What its team has not used for longest is forgotten first. */
export function fairlyKept<T>(room: number): FairlyKept<T> {
  const teams = new Map<string, OfTeam<T>>()
  let total = 0
  const drop = (team: string, of: OfTeam<T>, key: string): number => {
    const entry = of.entries.get(key)
    const bytes = entry?.bytes ?? 0
    if (of.newest === entry) of.newest = undefined
    of.entries.delete(key)
    of.bytes -= bytes
    total -= bytes
    if (of.entries.size === 0) teams.delete(team)
    return bytes
  }
  const teamWithMost = (): [string, OfTeam<T>] | undefined => {
    let most: [string, OfTeam<T>] | undefined
    for (const one of teams) if (!most || one[1].bytes > most[1].bytes) most = one
    return most
  }
  /** Drops one value and gives its bytes. A team that has its share of the room or more makes room for itself. */
  const dropOne = (asker: string): number => {
    const own = teams.get(asker)
    const [team, of] = own && own.bytes * teams.size >= total ? [asker, own] : (teamWithMost() ?? [])
    const oldest = of?.oldest()
    return team !== undefined && of && oldest !== undefined ? drop(team, of, oldest) : Infinity
  }
  return {
    get: (team, key) => {
      const of = teams.get(team)
      const entry = of?.entries.get(key)
      if (!of || !entry) return undefined
      if (of.newest !== entry) {
        of.entries.delete(key)
        of.entries.set(key, entry)
        of.newest = entry
      }
      return entry.value
    },
    set: (team, key, value, size) => {
      const before = teams.get(team)
      if (before) drop(team, before, key)
      const bytes = overhead + 2 * key.length + size
      if (bytes > room * largest) return
      const entries = new Map<string, Entry<T>>()
      const of = teams.get(team) ?? { entries, oldest: oldestKeys(entries), newest: undefined, bytes: 0 }
      teams.set(team, of)
      const entry = { value, bytes }
      of.entries.set(key, entry)
      of.newest = entry
      of.bytes += bytes
      total += bytes
      for (let over = total - room; over > 0;) over -= dropOne(team)
    },
  }
}
