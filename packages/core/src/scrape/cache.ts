import { hash } from 'node:crypto'

import type { Page } from '../plugin/parts.ts'
import { canonicalUrl } from '../net/url.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import type { Visit } from './load.ts'
import type { Plan } from './plan.ts'

/** Keeps pages, not documents: an old visit can serve any format. */
export interface PageCache {
  /** Covers all that can change what comes over the wire, and whose request it is. */
  keyOf(plan: Plan, team: string): string
  find(key: string, age: { readonly from: number; readonly to: number }): Promise<Visit | undefined>
  keep(visit: Visit): Promise<void>
  /** Visits that equal requests may wait for. */
  readonly underWay: Map<string, Promise<Visit>>
}

// Other statuses say how the host was at that moment, not what the page is.
const keptStatuses: ReadonlySet<number> = new Set([200, 203, 404, 410])

export function makePageCache(store: Pick<Store, 'get' | 'set'>, clock: Clock, ttl: number): PageCache {
  return {
    underWay: new Map(),
    keyOf: ({ request, url, captures }, team) => {
      const { mobile, location, blockAds, skipTlsVerification, proxy, waitFor } = request
      const looks = captures.map(({ name, options }) => [name, options])
      const inputs = [team, canonicalUrl(url), mobile, location, blockAds, skipTlsVerification, proxy, waitFor, looks]
      return `page/${hash('sha256', JSON.stringify(inputs), 'base64url')}`
    },
    find: async (key, { from, to }) => {
      const bytes = await store.get(key)
      if (!(bytes instanceof Uint8Array)) return undefined
      const { page, at } = unpack(bytes)
      const age = clock.now() - at
      if (age < from || age > to) return undefined
      return { page, at, cacheState: 'hit', version: `${key}@${at}` }
    },
    keep: async ({ page, at, version }) => {
      if (!version || !keptStatuses.has(page.status) || Object.keys(page.captured).length > 0) return
      await store.set(version.slice(0, version.lastIndexOf('@')), pack(page, at), { ttl })
    },
  }
}

// A kept page is one value: the length of its head, the head as JSON, the body as it came.
const lengthBytes = 4

function pack({ body, ...head }: Page, at: number): Uint8Array {
  const text = Buffer.from(JSON.stringify({ ...head, at }))
  const bytes = Buffer.allocUnsafe(lengthBytes + text.length + body.length)
  bytes.writeUInt32BE(text.length)
  text.copy(bytes, lengthBytes)
  bytes.set(body, lengthBytes + text.length)
  return bytes
}

function unpack(bytes: Uint8Array): { readonly page: Page; readonly at: number } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = lengthBytes + buffer.readUInt32BE()
  const { at, ...head } = JSON.parse(buffer.toString('utf8', lengthBytes, start)) as Omit<Page, 'body'> & { at: number }
  return { page: { ...head, body: bytes.subarray(start) }, at }
}
