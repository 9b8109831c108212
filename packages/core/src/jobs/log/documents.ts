import { nextTurn } from '@harvestman/toolbox/next-turn'
import { damagedRecord, type Log, type Segment } from '@harvestman/coordination'
import { pagesOf, nextDocumentStart, type Fact, type KeptDocument, type PageFact } from './facts.ts'

export interface PageDocument {
  readonly fact: Fact & PageFact
  readonly bytes: Uint8Array
}

/** Reads the documents of log segments, both from their bodies and from secondary logs. */
export interface DocumentReader {
  /**
   * Returns the documents of the pages `from` (inclusive) to `end` (exclusive) of a segment. Expands one segment of a secondary
   * log in each turn of the event loop.
   */
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
  const expanded = new Set<string>()
  const read = async ({ log: name, place }: KeptDocument): Promise<Segment> => {
    const segment = await log.beside(name).read(place)
    if (segment) return segment
    throw damagedRecord('a document of a job')
  }
  const partOf = (kept: KeptDocument): Promise<Segment> => {
    const known = parts.get(keyOf(kept))
    if (known) return known
    const part = read(kept)
    // It may be awaited after another one has failed.
    part.catch(() => undefined)
    parts.set(keyOf(kept), part)
    return part
  }
  const bodyBeside = async (kept: KeptDocument): Promise<Uint8Array> => {
    const part = await partOf(kept)
    if (!expanded.has(keyOf(kept))) await nextTurn()
    expanded.add(keyOf(kept))
    return part.body()
  }
  const bytesOf = async ({ segment, fact, start }: Placed): Promise<PageDocument> => {
    const { kept } = fact
    const body = await (kept ? bodyBeside(kept) : segment.body())
    const from = kept?.start ?? start
    return { fact, bytes: body.subarray(from, from + fact.bytes) }
  }
  return {
    of: async (segment, from = 0, end = Infinity) => {
      const placed = placesOf(segment).slice(from, end)
      // All are read at once.
      for (const { fact } of placed) if (fact.kept) void partOf(fact.kept)
      const documents: PageDocument[] = []
      for (const one of placed) documents.push(await bytesOf(one))
      return documents
    },
    free: () => {
      for (const part of parts.values()) void part.then((segment) => segment.free()).catch(() => undefined)
      parts.clear()
    },
  }
}

function keyOf({ log, place }: KeptDocument): string {
  return `${place} ${log}`
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
