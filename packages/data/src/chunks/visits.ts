// The chunks of a page at its last visits, for the comparison with the next visit.
import { hash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

import type { PluginStore } from '@harvestman/core/plugin'
import { parseStored } from '@harvestman/ports/stores'
import type { Value } from '@harvestman/ports'

import { shortHeadings, type ChunkMark } from './compare.ts'

/** A visit of a page. */
export interface Visit {
  /** Job of the visit, or the task of a single scrape. */
  readonly by: string
  readonly scrapeId: string
  readonly at: number
  readonly chunks: readonly ChunkMark[]
}

/** Maximum number of chunks per page. */
export const maxChunks = 5_000
// Several, because jobs may overlap, and a job skips its own visit when it runs a page again.
const maxVisits = 3
const maxBytes = 16_000_000
const lifetime = 90 * 86_400_000

/** Returns the last visit by another job. `undefined` if there is none, or it is not readable. */
export async function lastVisit(store: PluginStore, key: string, by: string): Promise<Visit | undefined> {
  return open(await store.get(key)).findLast((visit) => visit.by !== by)
}

/** Stores a visit for 90 days. Has no effect if the same job has already stored one. */
export async function storeVisit(store: PluginStore, key: string, visit: Visit): Promise<void> {
  const chunks = visit.chunks.map(({ id, headings }) => ({ id, headings: shortHeadings(headings) }))
  await store.update(
    key,
    (old) => {
      const visits = open(old)
      const next = visits.some(({ by }) => by === visit.by) ? visits : [...visits, { ...visit, chunks }]
      return deflateRawSync(JSON.stringify(next.slice(-maxVisits)), { level: 1 })
    },
    { ttl: lifetime },
  )
}

/** Returns the key of the visits of a page, by URL, tag, and whether its text is redacted. */
export function visitsKey(url: string, tag: string | null, redaction: unknown): string {
  return `chunks/${hash('sha256', JSON.stringify([url, tag, redaction ?? null]), 'base64url')}`
}

function open(kept: Value | undefined): readonly Visit[] {
  if (!(kept instanceof Uint8Array)) return []
  try {
    // Cast: written by `storeVisit`.
    return parseStored(inflateRawSync(kept, { maxOutputLength: maxBytes }).toString()) as readonly Visit[]
  } catch {
    return []
  }
}
