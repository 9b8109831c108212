import type { Log } from '../records/log.ts'
import type { Contents } from './contents.ts'
import { documentsOf } from './facts.ts'

export interface Range {
  readonly skip: number
  readonly limit: number
  /** The most bytes; one document is always given. */
  readonly maxBytes: number
}

// Segments are about a megabyte each.
const readAhead = 4

/** Cuts a run of documents out of the log, as they are kept: nothing is parsed, and nothing is printed again. */
export async function readRun(
  log: Log,
  contents: Contents,
  { skip, limit, maxBytes }: Range,
): Promise<readonly Uint8Array[]> {
  const run: Uint8Array[] = []
  let bytes = 0
  const start = await contents.find(skip)
  if (!start) return run
  let offset = skip - start.first
  for (let place = start.place; ; place += readAhead) {
    const segments = await log.readMany(Array.from({ length: readAhead }, (_, ahead) => place + ahead))
    for (const segment of segments) {
      if (!segment) return run
      for (const document of documentsOf(segment).slice(offset)) {
        const isFull = run.length >= limit || (run.length > 0 && bytes + document.bytes.length > maxBytes)
        // What is in the log and not yet in the contents was not yet told of.
        if (isFull || skip + run.length >= contents.size) return run
        run.push(document.bytes)
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
