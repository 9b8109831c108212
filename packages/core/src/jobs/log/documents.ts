import { damagedRecord, type Log, type Segment } from '@harvestman/coordination'
import { pagesOf, nextDocumentStart, type Fact, type KeptDocument, type PageFact } from './facts.ts'

export interface PageDocument {
  readonly fact: Fact & PageFact
  readonly bytes: Uint8Array
}

/** Reads the documents of log segments, both from their bodies and from secondary logs. */
export interface DocumentReader {
  /** Returns the documents of the pages `from` (inclusive) to `end` (exclusive) of a segment. */
  of(segment: Segment, from?: number, end?: number): Promise<readonly PageDocument[]>
  /** Frees the memory of the segments read from secondary logs. */
  free(): void
}

/**
 * Creates a reader that caches segments of secondary logs until `free` is called. Rejects with a damaged-record error if such a
 * segment is missing.
 */
export function documentReader(log: Pick<Log, 'beside'>): DocumentReader {
  const parts = new Map<string, Promise<Segment>>()
  const read = async ({ log: name, place }: KeptDocument): Promise<Segment> => {
    const segment = await log.beside(name).read(place)
    if (segment) return segment
    throw damagedRecord('a document of a job')
  }
  const partOf = (kept: KeptDocument): Promise<Segment> => {
    const key = `${kept.place} ${kept.log}`
    const part = parts.get(key) ?? read(kept)
    parts.set(key, part)
    return part
  }
  const bytesOf = async ({ segment, fact, start }: Placed): Promise<PageDocument> => {
    const { kept } = fact
    const body = await (kept ? await partOf(kept) : segment).body()
    const from = kept?.start ?? start
    return { fact, bytes: body.subarray(from, from + fact.bytes) }
  }
  return {
    of: async (segment, from = 0, end = Infinity) => Promise.all(placesOf(segment).slice(from, end).map(bytesOf)),
    free: () => {
      for (const part of parts.values()) void part.then((segment) => segment.free()).catch(() => undefined)
      parts.clear()
    },
  }
}

interface Placed {
  readonly segment: Segment
  readonly fact: Fact & PageFact
  /** Offset of the document, if it is in the body of the segment. */
  readonly start: number
}

function placesOf(segment: Segment): Placed[] {
  let next = 0
  return pagesOf(segment).map((fact) => {
    const start = next
    if (!fact.kept) next = nextDocumentStart(start, fact.bytes)
    return { segment, fact, start }
  })
}
