import type { Log, Segment } from '@harvestman/coordination'
import type { DocumentIndex } from './document-index.ts'
import { documentsOf } from './facts.ts'

export interface SliceRange {
  readonly skip: number
  readonly limit: number
  /** The most bytes; one document is always given. */
  readonly maxBytes: number
}

/** Documents that follow each other in a log. */
export interface DocumentSlice {
  readonly documents: readonly Uint8Array[]
  /** Gives their memory back; they are empty then. */
  readonly free: () => void
}

// Segments are about a megabyte each.
const readAhead = 4

/** Cuts a run of documents out of the log, as they are kept: nothing is parsed, and nothing is printed again. */
export async function readSlice(
  log: Log,
  index: DocumentIndex,
  { skip, limit, maxBytes }: SliceRange,
): Promise<DocumentSlice> {
  const read: Segment[] = []
  const documents: Uint8Array[] = []
  const run = { documents, free: () => read.forEach((segment) => segment.free()) }
  let bytes = 0
  const start = await index.find(skip)
  if (!start) return run
  let offset = skip - start.first
  for (let place = start.place; ; place += readAhead) {
    const segments = await log.readMany(Array.from({ length: readAhead }, (_, ahead) => place + ahead))
    read.push(...segments.filter((segment) => segment !== undefined))
    for (const segment of segments) {
      if (!segment) return run
      for (const document of documentsOf(segment).slice(offset)) {
        const isFull = documents.length >= limit || (documents.length > 0 && bytes + document.bytes.length > maxBytes)
        // What is in the log and not yet in the index was not yet told of.
        if (isFull || skip + documents.length >= index.size) return run
        documents.push(document.bytes)
        bytes += document.bytes.length + 1
      }
      offset = 0
    }
  }
}

/** The document of a page, by the id of its scrape. The log is looked through from its beginning. */
export async function findDocument(log: Log, id: string): Promise<Uint8Array | undefined> {
  for (let place = 0; ; place += readAhead) {
    const segments = await log.readMany(Array.from({ length: readAhead }, (_, ahead) => place + ahead))
    for (const segment of segments) {
      if (!segment) return undefined
      const found = documentsOf(segment).find(({ fact }) => fact.id === id)
      if (found) return found.bytes
    }
  }
}
