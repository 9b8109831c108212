import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

import type { Store } from '@harvestman/ports'
import type { SitemapEntry } from './sitemap-entry.ts'
import { siteKeys } from './keys.ts'

/** Caches the entries of sitemaps for days, compressed, in parts that are read one at a time. */
export interface SitemapCache {
  /** Returns `undefined` if the file is not cached. */
  find(url: string): Promise<AsyncIterable<readonly SitemapEntry[]> | undefined>
  /** Starts to cache a file. It is not visible before `finish`. */
  begin(url: string): Keeping
}

export interface Keeping {
  add(entries: readonly SitemapEntry[]): Promise<void>
  finish(ttl: number): Promise<void>
}

interface Head {
  readonly parts: readonly string[]
}

const partSize = 2_000
const week = 7 * 24 * 3_600_000

/**
 * Creates access to sitemaps that are cached in the store. `find` resolves to `undefined` if the file is not cached. `finish`
 * takes milliseconds, at most a week. Calls reject if the store fails.
 */
export function sitemapCache(store: Store): SitemapCache {
  return {
    find: async (url) => {
      const head: unknown = await store.get(headKey(url))
      return head === undefined ? undefined : readParts(store, head as Head)
    },
    begin: (url) => keep(store, url),
  }
}

const headKey = siteKeys.sitemap

function keep(store: Store, url: string): Keeping {
  const parts: string[] = []
  // Unique, so that two concurrent readers of one file do not mix their parts.
  const stem = siteKeys.sitemapPart(crypto.randomUUID())
  let waiting: SitemapEntry[] = []
  const write = async (): Promise<void> => {
    const key = `${stem}/${parts.length}`
    parts.push(key)
    const bytes = await packed(Buffer.from(waiting.map(lineOf).join('\n')), { level: 1 })
    waiting = []
    await store.set(key, bytes, { ttl: week })
  }
  return {
    add: async (entries) => {
      waiting.push(...entries)
      if (waiting.length >= partSize) await write()
    },
    finish: async (ttl) => {
      if (waiting.length > 0) await write()
      await store.set(headKey(url), { parts }, { ttl: Math.min(ttl, week) })
    },
  }
}

const packed = promisify<Uint8Array, { level: number }, Buffer>(gzip)
const unpacked = promisify<Uint8Array, Buffer>(gunzip)

async function* readParts(store: Store, { parts }: Head): AsyncGenerator<readonly SitemapEntry[]> {
  for (const key of parts) {
    const bytes = await store.get(key)
    // A part may expire just before its head; the entries read so far are still valid.
    if (!(bytes instanceof Uint8Array)) return
    yield (await unpacked(bytes)).toString('utf8').split('\n').map(entryOf)
  }
}

// Earlier versions stored other types in the third field.
type Line = readonly [isSitemap: 0 | 1, url: string, changed: unknown, title: string | null]

function lineOf({ kind, url, title, changedAt }: SitemapEntry): string {
  return JSON.stringify([kind === 'sitemap' ? 1 : 0, url, changedAt ?? null, title ?? null] satisfies Line)
}

function entryOf(text: string): SitemapEntry {
  const [isSitemap, url, changed, title] = JSON.parse(text) as Line
  return {
    kind: isSitemap === 1 ? 'sitemap' : 'page',
    url,
    title: title ?? undefined,
    changedAt: typeof changed === 'number' ? changed : undefined,
  }
}
