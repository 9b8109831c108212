import { packParcel, unpackParcel } from '../lib/parcel.ts'
import { recentlyUsed } from '../lib/recently-used.ts'
import type { Page } from '../plugin/parts.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'

/** A page, and when it was loaded. */
export interface KeptPage {
  readonly page: Page
  readonly at: number
}

/** Where the cache puts pages. It may forget them. */
export interface Shelf {
  get(key: string): Promise<KeptPage | undefined>
  set(key: string, kept: KeptPage, ttl: number): Promise<void>
}

/** In memory: so many bytes of pages, those unused for longest forgotten first. */
export function shelfInMemory(bytes: number, clock: Clock): Shelf {
  const entries = recentlyUsed<KeptPage & { readonly until: number }>(bytes, ({ page }) => page.body.byteLength + 1_000)
  return {
    get: async (key) => {
      const entry = entries.get(key)
      return entry && entry.until > clock.now() ? entry : undefined
    },
    set: async (key, kept, ttl) => entries.set(key, { ...kept, until: clock.now() + ttl }),
  }
}

/** In a store, as one value of bytes each. */
export function shelfInStore(store: Store): Shelf {
  return {
    get: async (key) => {
      const bytes = await store.get(key)
      return bytes instanceof Uint8Array ? unpack(bytes) : undefined
    },
    set: (key, kept, ttl) => store.set(key, pack(kept), { ttl }),
  }
}

function pack({ page: { body, ...head }, at }: KeptPage): Uint8Array {
  return packParcel({ ...head, at }, [body])
}

function unpack(bytes: Uint8Array): KeptPage {
  const { head, body } = unpackParcel<Omit<Page, 'body'> & { readonly at: number }>(bytes)
  const { at, ...page } = head
  return { page: { ...page, body }, at }
}
