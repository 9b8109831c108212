import { byteRing } from '../lib/byte-ring.ts'
import { joinInTurns, free, recentlyUsed, parcelPieces, unpackParcel } from '@harvestman/ports/adapters'
import type { Clock, Store } from '@harvestman/ports'
import type { PageHead } from './visit.ts'

/** A page, and when it was loaded. */
export interface KeptPage {
  readonly page: PageHead
  readonly body: Uint8Array
  readonly at: number
}

interface LastingPage extends KeptPage {
  readonly until: number
}

/** Where the cache puts pages. It may forget them. */
export interface PageStore {
  get(key: string): Promise<KeptPage | undefined>
  set(key: string, kept: KeptPage, options: PageKeepOptions): Promise<void>
}

export interface PageKeepOptions {
  readonly ttl: number
  /** Whose request brought it. */
  readonly team: string
}

// Of the bytes in memory, the part for pages that were asked for again.
const wantedShare = 1 / 8

/** In memory: so many bytes of pages, those that came first forgotten first. */
export function pagesInMemory(bytes: number, clock: Clock): PageStore {
  const packed = byteRing(bytes * (1 - wantedShare))
  // Most pages are never asked for again. One that is, is soon asked for once more, and then it is the same object.
  const wanted = recentlyUsed<LastingPage>(bytes * wantedShare, ({ body }) => body.byteLength + 1_000)
  const open = (key: string): LastingPage | undefined => {
    const bytes = packed.get(key)
    if (!bytes) return undefined
    const kept = unpack(bytes)
    wanted.set(key, kept)
    return kept
  }
  return {
    get: async (key) => {
      const kept = wanted.get(key) ?? open(key)
      return kept && kept.until > clock.now() ? kept : undefined
    },
    set: async (key, kept, { ttl }) => {
      wanted.delete(key)
      const { head, body } = parts({ ...kept, until: clock.now() + ttl })
      packed.set(key, parcelPieces(head, body))
    },
  }
}

/** In a store, as one value of bytes each. */
export function pagesInStore(store: Store, storeOf: (team: string) => Store): PageStore {
  return {
    get: async (key) => {
      const bytes = await store.get(key)
      return bytes instanceof Uint8Array ? unpack(bytes) : undefined
    },
    set: async (key, kept, { ttl, team }) => {
      const { head, body } = parts({ ...kept, until: kept.at + ttl })
      const bytes = await joinInTurns(parcelPieces(head, body))
      await storeOf(team).set(key, bytes, { ttl, isSpare: true })
      free(bytes)
    },
  }
}

type Head = PageHead & Omit<LastingPage, 'page' | 'body'>

function parts({ page, body, at, until }: LastingPage) {
  return { head: { ...page, at, until } satisfies Head, body: [body] }
}

function unpack(bytes: Uint8Array): LastingPage {
  const { head, body } = unpackParcel<Head>(bytes)
  const { at, until, ...page } = head
  return { page, body, at, until }
}
