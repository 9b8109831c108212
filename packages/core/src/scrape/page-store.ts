import { byteRing } from '../lib/byte-ring.ts'
import { free } from '@harvestman/ports/values'
import { joinInTurns } from '@harvestman/toolbox/join-in-turns'
import { parcelPieces, unpackParcel } from '@harvestman/toolbox/parcel'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { decompressFrame, withCompressed, type Bodies } from '@harvestman/coordination'
import type { Clock, Store } from '@harvestman/ports'
import type { PageHead } from './visit.ts'

/** A page and when it was loaded. */
export interface KeptPage {
  readonly page: PageHead
  readonly body: Uint8Array
  readonly at: number
}

interface LastingPage extends KeptPage {
  readonly until: number
}

/** Storage of the page cache. It may drop pages. */
export interface PageStore {
  get(key: string): Promise<KeptPage | undefined>
  set(key: string, page: KeptPage, options: PageKeepOptions): Promise<void>
}

export interface PageKeepOptions {
  readonly ttl: number
  /** Team whose request loaded it. */
  readonly team: string
}

// Share of the memory that is used for pages requested again.
const wantedShare = 1 / 8

/**
 * Creates a store of pages in memory, up to this many bytes. The oldest are dropped first. An expired or dropped page is
 * `undefined`.
 */
export function pagesInMemory(bytes: number, clock: Clock): PageStore {
  const packed = byteRing(bytes * (1 - wantedShare))
  // Most pages are requested only once. One that is requested again is likely to be requested more often, so it is stored
  // unpacked.
  const wanted = recentlyUsed<string, LastingPage>(bytes * wantedShare, {
    sizeOf: ({ body, page: { hidden = [] } }) => body.byteLength + 1_000 + hidden.length * 100,
  })
  const open = (key: string): LastingPage | undefined => {
    const bytes = packed.get(key)
    if (!bytes) return undefined
    const page = unpack(bytes)
    wanted.set(key, page)
    return page
  }
  return {
    get: async (key) => {
      const page = wanted.get(key) ?? open(key)
      return page && page.until > clock.now() ? page : undefined
    },
    set: async (key, page, { ttl }) => {
      wanted.delete(key)
      const { head, body } = parts({ ...page, until: clock.now() + ttl })
      packed.set(key, parcelPieces(head, body))
    },
  }
}

/**
 * Creates a store of pages in a store of values, compressed if that saves space. Large bodies go to files. A missing page is
 * `undefined`. Calls reject if the store fails.
 */
export function pagesInStore(store: Store, storeOf: (team: string) => Store, bodies: Bodies): PageStore {
  return {
    get: async (key) => {
      const bytes = await store.get(key)
      return bytes instanceof Uint8Array ? openPage(bytes, bodies) : undefined
    },
    set: async (key, { page, body, at }, { ttl, team }) => {
      const bytes = await withCompressed([body], async (pieces, length) => {
        const file = await bodies.put(key, pieces, { ttl, isSpare: true })
        const head: StoredHead = { ...page, until: at + ttl, at, length, file }
        return joinInTurns(parcelPieces(head, file === undefined ? pieces : []))
      })
      await storeOf(team).set(key, bytes, { ttl, isSpare: true })
      free(bytes)
    },
  }
}

interface StoredHead extends Head {
  /** Uncompressed size of the body in bytes, if it is compressed. */
  readonly length?: number | undefined
  /** Id of the file that contains the body, if it is in a file. */
  readonly file?: string | undefined
}

/** Returns the page, or `undefined` if its body is missing or damaged: it can be loaded again. */
async function openPage(bytes: Uint8Array, bodies: Bodies): Promise<KeptPage | undefined> {
  const { head, body: inside } = unpackParcel<StoredHead>(bytes)
  const { at, until: _, length, file, ...page } = head
  try {
    const frame = file === undefined ? inside : await bodies.get(file)
    return frame && { page, body: length === undefined ? frame : await decompressFrame({ frame, length }), at }
  } catch {
    return undefined
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
