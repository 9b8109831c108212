import type { Stop, Store } from '@harvestman/ports'
import { heartbeat, layout } from '@harvestman/core/plugin'
import { liveKeys } from '../keys.ts'

/** Owner of a live browser that this engine has not: another process, or none any more. */
export type SessionOwner = { readonly url: string } | { readonly isGone: true }

/** Registry of which engine has which live browser, and of the addresses of the processes of engines. */
export interface SessionOwners {
  /** Notes that this engine has the live browser of these ids, for so many milliseconds. */
  note(ids: readonly string[], life: number): Promise<void>
  /** Nothing when it is here or not known; also where processes do not say where they are. */
  find(id: string): Promise<SessionOwner | undefined>
  /** Tells the other processes where this one is asked, until it is stopped. */
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
// One that has not been heard of for so long is gone, with its browsers.
const life = 30_000
const beatEvery = 10_000

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
