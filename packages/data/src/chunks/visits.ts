// The chunks of a page at its last visits, for the comparison with the next visit.
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

import type { PluginStore } from '@harvestman/core/plugin'
import { parseStored } from '@harvestman/ports/stores'
import type { Value } from '@harvestman/ports'

import { shortHeadings, type ChunkMark } from './compare.ts'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** A visit of a page, without its chunks. */
type VisitNote = {
  /** Job of the visit, or the task of a single scrape. */
  readonly by: string
  readonly scrapeId: string
  readonly at: number
}

/** A visit of a page. */
export type Visit = VisitNote & { readonly chunks: readonly ChunkMark[] }

/** Maximum number of chunks per page. */
export const maxChunks = 5_000
// Several, because jobs may overlap, and a job skips its own visit when it runs a page again.
const maxVisits = 3
const maxBytes = 8_000_000
const lifetime = 90 * 86_400_000

/** Returns the last visit by another job. `undefined` if there is none, or it is not readable. */
export async function lastVisit(store: PluginStore, key: string, by: string): Promise<Visit | undefined> {
  const note = notesIn(await store.get(key)).findLast((visit) => visit.by !== by)
  const chunks = note && (await unpack(await store.get(chunksKey(key, note))))
  return chunks && { ...note, chunks }
}

/** Stores a visit for 90 days. Has no effect if the same job has already stored one. */
export async function storeVisit(store: PluginStore, key: string, visit: Visit): Promise<void> {
  const { chunks, by, scrapeId, at } = visit
  const note: VisitNote = { by, scrapeId, at }
  // Each visit has its own value, which is packed before the update: an update blocks the thread, and must be small.
  await store.set(chunksKey(key, note), await pack(chunks), { ttl: lifetime })
  let dropped: readonly VisitNote[] = []
  await store.update(
    key,
    (old) => {
      const notes = notesIn(old)
      const isNew = notes.every((one) => one.by !== by)
      const all = [...notes, ...(isNew ? [note] : [])]
      const next = all.slice(-maxVisits)
      dropped = [...all, note].filter((one) => next.every(({ scrapeId: id }) => id !== one.scrapeId))
      return next
    },
    { ttl: lifetime },
  )
  for (const one of dropped) await store.delete(chunksKey(key, one))
}

/** Returns the key of the visits of a page, by URL, tag, and whether its text is redacted. */
export function visitsKey(url: string, tag: string | null, redaction: unknown): string {
  return `chunks/${hash('sha256', JSON.stringify([url, tag, redaction ?? null]), 'base64url')}`
}

function chunksKey(key: string, { scrapeId }: VisitNote): string {
  return `${key}/${scrapeId}`
}

function notesIn(stored: Value | undefined): readonly VisitNote[] {
  // Cast: written by `storeVisit`.
  return Array.isArray(stored) ? (stored as readonly VisitNote[]) : []
}

function pack(chunks: readonly ChunkMark[]): Promise<Uint8Array> {
  const short = chunks.map(({ id, headings }) => ({ id, headings: shortHeadings(headings) }))
  return deflate(JSON.stringify(short), { level: 1 })
}

async function unpack(stored: Value | undefined): Promise<readonly ChunkMark[] | undefined> {
  if (!(stored instanceof Uint8Array)) return undefined
  try {
    // Cast: written by `pack`.
    return parseStored((await inflate(stored, { maxOutputLength: maxBytes })).toString()) as readonly ChunkMark[]
  } catch {
    return undefined
  }
}
