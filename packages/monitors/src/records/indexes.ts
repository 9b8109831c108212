// Lists of monitors: of each team, those that are due by their time, and those whose check is not over. The record of a monitor
// says what is so; what stands here says where to look, and is put right where it is behind.
import type { Store } from '@harvestman/ports'

import { digestOf } from '../ids.ts'
import { monitorKeys } from '../keys.ts'

/** A monitor that is to look at a time. */
export interface Due {
  readonly monitor: string
  readonly at: number
}

export interface Indexes {
  addDue(due: Due): Promise<void>
  removeDue(due: Due): Promise<void>
  /** The earliest, or the earliest after one of them. */
  due(limit: number, after?: Due): Promise<readonly Due[]>
  addOpen(monitor: string, check: string): Promise<void>
  /** Removes it when it still stands for this check. */
  removeOpen(monitor: string, check: string): Promise<void>
  open(limit: number): Promise<readonly { readonly monitor: string; readonly check: string }[]>
  addPost(monitor: string, check: string): Promise<void>
  removePost(monitor: string, check: string): Promise<void>
  /** Checks that have messages to send. */
  posts(limit: number): Promise<readonly { readonly monitor: string; readonly check: string }[]>
  addFeed(secret: string, monitor: string): Promise<void>
  removeFeed(secret: string): Promise<void>
  /** The monitor whose feed has this secret. */
  ofFeed(secret: string): Promise<string | undefined>
  addToTeam(team: string, monitor: string): Promise<void>
  removeFromTeam(team: string, monitor: string): Promise<void>
  /** The ids of the monitors of a team, the newest first. */
  ofTeam(team: string, limit: number, after?: string): Promise<readonly string[]>
}

const digits = 15
const dueKey = ({ at, monitor }: Due): string => monitorKeys.due(`${String(at).padStart(digits, '0')}/${monitor}`)
/** What a store has does not open a feed. */
const feedKey = (secret: string): string => monitorKeys.feed(digestOf(secret))
const teamKey = (team: string, rest: string): string => monitorKeys.ofTeam(`${encodeURIComponent(team)}/${rest}`)

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
    addOpen: (monitor, check) => store.set(monitorKeys.open(monitor), check),
    removeOpen: async (monitor, check) => {
      await store.update(monitorKeys.open(monitor), (old) => (old === check ? undefined : old))
    },
    open: async (limit) => {
      const entries = await store.list(monitorKeys.open(), { limit })
      return entries.map(({ key, value }) => ({
        monitor: key.slice(monitorKeys.open.begins.length),
        check: typeof value === 'string' ? value : '',
      }))
    },
    addPost: (monitor, check) => store.set(monitorKeys.post(`${monitor}/${check}`), 1),
    removePost: (monitor, check) => store.delete(monitorKeys.post(`${monitor}/${check}`)),
    posts: async (limit) => {
      const entries = await store.list(monitorKeys.post(), { limit })
      return entries.map(({ key }) => {
        const [monitor = '', check = ''] = key.slice(monitorKeys.post.begins.length).split('/')
        return { monitor, check }
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
