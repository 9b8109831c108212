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
 * Creates a store of pages in memory, up to this many bytes, compressed if that saves space. The oldest are dropped first. An
 * expired or dropped page is `undefined`.
 */
export function pagesInMemory(bytes: number, clock: Clock): PageStore {
  const packed = byteRing(bytes * (1 - wantedShare))
  // Most pages are requested only once. One that is requested again is likely to be requested more often, so it is stored
  // uncompressed.
  const wanted = recentlyUsed<string, LastingPage>(bytes * wantedShare, {
    sizeOf: ({ body, page: { hidden = [] } }) => body.byteLength + 1_000 + hidden.length * 100,
  })
  /** The newest call for each page that is being compressed: a small page may be finished before an older, large one. */
  const storing = new Map<string, symbol>()
  /** Pages that are being decompressed. Concurrent callers share the work. */
  const opening = new Map<string, Promise<LastingPage>>()
  const open = (key: string): Promise<LastingPage> | undefined => {
    const bytes = packed.get(key)
    if (!bytes) return undefined
    const isNewest = (): boolean => opening.get(key) === opened
    const opened = openRingPage(bytes)
      .then((page) => {
        if (isNewest()) wanted.set(key, page)
        return page
      })
      .finally(() => isNewest() && opening.delete(key))
    opening.set(key, opened)
    return opened
  }
  return {
    get: async (key) => {
      const page = wanted.get(key) ?? (await (opening.get(key) ?? open(key)))
      return page && page.until > clock.now() ? page : undefined
    },
    set: async (key, { page, body, at }, { ttl }) => {
      const until = clock.now() + ttl
      const token = Symbol(key)
      storing.set(key, token)
      try {
        await withCompressed([body], async (pieces, length) => {
          if (storing.get(key) !== token) return
          wanted.delete(key)
          opening.delete(key)
          packed.set(key, parcelPieces({ ...page, at, until, length } satisfies RingHead, pieces))
        })
      } finally {
        if (storing.get(key) === token) storing.delete(key)
      }
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

interface RingHead extends PageHead {
  readonly at: number
  readonly until: number
  /** Uncompressed size of the body in bytes, if it is compressed. */
  readonly length?: number | undefined
}

async function openRingPage(bytes: Uint8Array): Promise<LastingPage> {
  const { head, body: inside } = unpackParcel<RingHead>(bytes)
  const { at, until, length, ...page } = head
  return { page, body: length === undefined ? inside : await decompressFrame({ frame: inside, length }), at, until }
}

interface StoredHead extends RingHead {
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
