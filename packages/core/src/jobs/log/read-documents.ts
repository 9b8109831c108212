import type { Log, Segment } from '@harvestman/coordination'
import { nextTurn } from '@harvestman/toolbox/next-turn'
import type { DocumentIndex } from './document-index.ts'
import { documentReader, type PageDocument } from './documents.ts'
import { type PageFact, pagesOf } from './facts.ts'

export interface SliceRange {
  readonly skip: number
  readonly limit: number
  /** Maximum size of all documents in bytes. At least one document is always returned. */
  readonly maxBytes: number
}

/** Consecutive documents of a log. */
export interface DocumentSlice {
  readonly documents: readonly Uint8Array[]
  /** Frees the memory of the documents, which must not be used afterwards. */
  readonly free: () => void
}

// Number of segments read at once. Each has about 1 MB.
const readAhead = 4

/**
 * Reads a range of documents from the log as stored bytes, without parsing them. Returns fewer than `limit` at the end of the
 * log, at `maxBytes` or before a missing segment. Call `free` once they are no longer needed. Rejects if the store fails or a
 * segment is damaged.
 */
export async function readSlice(
  log: Log,
  index: DocumentIndex,
  { skip, limit, maxBytes }: SliceRange,
): Promise<DocumentSlice> {
  const read: Segment[] = []
  const documents: Uint8Array[] = []
  const reader = documentReader(log)
  const free = (): void => {
    reader.free()
    for (const segment of read) segment.free()
  }
  const run = { documents, free }
  const start = await index.find(skip)
  if (!start) return run
  // Documents that are in the log but not in the index yet are not public yet.
  const count = Math.min(limit, index.size - skip)
  const wanted = whileThereIsRoom({ count, bytes: maxBytes })
  let offset = skip - start.first
  for (let place = start.place; ; place += readAhead) {
    const ahead = Math.min(readAhead, index.segments - place)
    const segments = await log.readMany(Array.from({ length: ahead }, (_, next) => place + next))
    read.push(...segments.filter((segment) => segment !== undefined))
    const parts: Promise<readonly PageDocument[]>[] = []
    for (const segment of segments) {
      const from = offset
      offset = 0
      const pages = segment ? pagesOf(segment).slice(from) : []
      const fits = pages.findIndex((page) => !wanted(page))
      const end = fits < 0 ? from + pages.length : from + fits
      if (segment && end > from) parts.push(reader.of(segment, from, end))
      if (!segment || fits >= 0) {
        documents.push(...(await bytesIn(parts)))
        return run
      }
    }
    documents.push(...(await bytesIn(parts)))
    if (documents.length >= count || ahead < readAhead) return run
    // Small bodies are decompressed in this thread, and a range may have many.
    await nextTurn()
  }
}

/** Returns a function that reports whether the next page fits within the limits. The first page always fits. */
function whileThereIsRoom(room: { readonly count: number; readonly bytes: number }): (page: PageFact) => boolean {
  let { count, bytes } = room
  let isFirst = true
  return (page) => {
    if (count <= 0 || (!isFirst && page.bytes > bytes)) return false
    isFirst = false
    count -= 1
    bytes -= page.bytes + 1
    return true
  }
}

async function bytesIn(parts: readonly Promise<readonly PageDocument[]>[]): Promise<readonly Uint8Array[]> {
  return (await Promise.all(parts)).flat().map(({ bytes }) => bytes)
}

/**
 * Finds the document of a page by the id of its scrape; `undefined` if it is not in the log. Reads the log from its beginning.
 * Rejects if the store fails or a segment is damaged.
 */
export async function findDocument(log: Log, id: string): Promise<Uint8Array | undefined> {
  for (let place = 0; ; place += readAhead) {
    const segments = await log.readMany(Array.from({ length: readAhead }, (_, ahead) => place + ahead))
    for (const segment of segments) {
      if (!segment) return undefined
      const index = pagesOf(segment).findIndex((page) => page.id === id)
      if (index < 0) continue
      const [found] = await documentReader(log).of(segment, index, index + 1)
      return found?.bytes
    }
  }
}
