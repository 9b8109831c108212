// The tracked pages of each team: one entry per page, updated with each check.
import type { Store } from '@harvestman/ports'
import { layout } from '@harvestman/coordination'
import { storeKeys } from '../keys.ts'
import type { PageKey, Version } from './version.ts'

/** A tracked page with its newest version. */
export interface Tracked extends Version {
  readonly url: string
  readonly tag: string | null
  /** Revision of the page's history, so that a newer entry is not replaced by an older one. */
  readonly revision: number
}

/** Tracked pages in the order of their keys, and the position of the next ones. */
export interface TrackedPart {
  readonly pages: readonly Tracked[]
  readonly cursor?: string
}

/** Storage of the tracked pages of teams. */
export interface TrackedPages {
  note(key: PageKey, digest: string, version: Version, revision: number): Promise<void>
  list(team: string, limit: number, cursor?: string): Promise<TrackedPart>
}

const what = 'A tracked page'
const { seal, open } = layout<Tracked>(1, { url: 'text', number: 'number', revision: 'number' })

/**
 * Creates access to the stored list of tracked pages of each team. Entries expire after `life` milliseconds. A list is read in
 * pages of `limit`; without a cursor in the response there are no more. Calls reject if the store fails or a record is
 * damaged.
 */
export function trackedPages({ store, life }: { readonly store: Store; readonly life: number }): TrackedPages {
  const prefixOf = (team: string): string => storeKeys.trackedPage(`${encodeURIComponent(team)}/`)
  return {
    note: async ({ team, url, tag }, digest, version, revision) => {
      await store.update(
        prefixOf(team) + digest,
        (old) => ((open(what, old)?.revision ?? 0) > revision ? old : seal({ ...version, url, tag, revision })),
        { ttl: life },
      )
    },
    list: async (team, limit, cursor) => {
      const prefix = prefixOf(team)
      const after = cursor === undefined ? undefined : prefix + cursor
      const found = await store.list(prefix, { limit, after })
      const pages = found.flatMap(({ value }) => open(what, value) ?? [])
      const last = found.length < limit ? undefined : found.at(-1)?.key.slice(prefix.length)
      return { pages, ...(last !== undefined && { cursor: last }) }
    },
  }
}
