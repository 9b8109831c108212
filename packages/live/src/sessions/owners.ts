import type { Stop, Store } from '@harvestman/ports'
import { heartbeat, layout } from '@harvestman/core/plugin'
import { liveKeys } from '../keys.ts'

/** The owner of a live browser that is not in this engine: another process, or one that no longer runs. */
export type SessionOwner = { readonly url: string } | { readonly isGone: true }

/** Tracks which engine has which live browser, and the URLs at which their processes can be reached. */
export interface SessionOwners {
  /** Stores that this engine has the live browser with these ids, for `life` milliseconds. */
  note(ids: readonly string[], life: number): Promise<void>
  /**
   * Returns the owner of a live browser. Returns `undefined` if it is in this process or unknown, or if `announce` was not
   * called.
   */
  find(id: string): Promise<SessionOwner | undefined>
  /** Announces to other processes the URL at which they can reach this one. Returns a function to stop. */
  announce(url: string): Promise<Stop>
}

export interface OwnersOptions {
  readonly store: Store
  readonly owner: string
  readonly isGone: (owner: string) => boolean
}

interface Peer {
  readonly url: string
}

const peerLayout = layout<Peer>(1, { url: 'text' })
// A process without a heartbeat for this long, in milliseconds, is considered dead, with its browsers.
const life = 30_000
const beatEvery = 10_000

/**
 * Creates the record of which engine has which live browser, so that requests can be forwarded to it. `find` returns
 * `undefined` before `announce` and for an unknown browser or an own one, and `isGone` if its engine has ended or has not
 * announced itself for 30 seconds. Calls reject if the store fails.
 */
export function makeSessionOwners({ store, owner, isGone }: OwnersOptions): SessionOwners {
  const noteOf = (id: string): string => liveKeys.owner(id)
  const peerOf = (engine: string): string => liveKeys.peer(engine)
  let isAnnounced = false
  return {
    note: async (ids, ttl) => {
      await Promise.all(ids.map((id) => store.set(noteOf(id), owner, { ttl })))
    },
    find: async (id) => {
      if (!isAnnounced) return undefined
      const known = await store.get(noteOf(id))
      if (typeof known !== 'string' || known === owner) return undefined
      const peer = isGone(known) ? undefined : peerLayout.open('A process', await store.get(peerOf(known)))
      return peer ? { url: peer.url } : { isGone: true }
    },
    announce: async (url) => {
      const beat = (): Promise<void> => store.set(peerOf(owner), peerLayout.seal({ url }), { ttl: life })
      await beat()
      isAnnounced = true
      const stopBeating = heartbeat(beat, beatEvery)
      return async () => {
        stopBeating()
        isAnnounced = false
        await store.delete(peerOf(owner)).catch(() => undefined)
      }
    },
  }
}
