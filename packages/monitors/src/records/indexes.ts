// Indexes of monitors: by team, by due time, and by feed. The monitor record is the source of truth. Indexes only
// help to find monitors, and are repaired if they are outdated.
import type { Store } from '@harvestman/ports'

import { digestOf } from '../ids.ts'
import { monitorKeys } from '../keys.ts'

/** A monitor and its next due time. */
export interface Due {
  readonly monitor: string
  readonly at: number
}

export interface Indexes {
  addDue(due: Due): Promise<void>
  removeDue(due: Due): Promise<void>
  /** Earliest first, later than `after`. */
  due(limit: number, after?: Due): Promise<readonly Due[]>
  addFeed(secret: string, monitor: string): Promise<void>
  removeFeed(secret: string): Promise<void>
  /** Returns the id of the monitor with this feed secret. */
  ofFeed(secret: string): Promise<string | undefined>
  addToTeam(team: string, monitor: string): Promise<void>
  removeFromTeam(team: string, monitor: string): Promise<void>
  /** Returns monitor ids of a team, newest first. */
  ofTeam(team: string, limit: number, after?: string): Promise<readonly string[]>
}

const digits = 15
const dueKey = ({ at, monitor }: Due): string => monitorKeys.due(`${String(at).padStart(digits, '0')}/${monitor}`)
/** Only a hash is stored, so that reading the store does not reveal feed URLs. */
const feedKey = (secret: string): string => monitorKeys.feed(digestOf(secret))
const teamKey = (team: string, rest: string): string => monitorKeys.ofTeam(`${encodeURIComponent(team)}/${rest}`)

/**
 * Creates access to the indexes of monitors by due time, feed and team. Removing an entry that does not exist does nothing.
 * Lookups of a missing entry resolve to `undefined`. Calls reject if the store fails.
 */
export function indexes(store: Store): Indexes {
  return {
    addDue: (due) => store.set(dueKey(due), 1),
    removeDue: (due) => store.delete(dueKey(due)),
    due: async (limit, after) => {
      const entries = await store.list(monitorKeys.due(), { limit, ...(after && { after: dueKey(after) }) })
      return entries.map(({ key }) => {
        const [at = '', monitor = ''] = key.slice(monitorKeys.due.begins.length).split('/')
        return { at: Number(at), monitor }
      })
    },
    addFeed: (secret, monitor) => store.set(feedKey(secret), monitor),
    removeFeed: (secret) => store.delete(feedKey(secret)),
    ofFeed: async (secret) => {
      const monitor = await store.get(feedKey(secret))
      return typeof monitor === 'string' ? monitor : undefined
    },
    addToTeam: (team, monitor) => store.set(teamKey(team, monitor), 1),
    removeFromTeam: (team, monitor) => store.delete(teamKey(team, monitor)),
    ofTeam: async (team, limit, after) => {
      const behind = after === undefined ? {} : { after: teamKey(team, after) }
      const entries = await store.list(teamKey(team, ''), { limit, isReverse: true, ...behind })
      return entries.map(({ key }) => key.slice(teamKey(team, '').length))
    },
  }
}
