// Stores records of calls in the engine's store, in parts that all processes working on one job can append to.
import { isRecord, type Json, type Store } from '@harvestman/ports'
import { readPageOptions, type PageOptions } from '@harvestman/toolbox/page-options'

import { recordKeys } from './keys.ts'

/** Identifies a record: the team and the id of its request or job. */
export interface RecordName {
  readonly team: string
  readonly id: string
}

/** A part of a record that only one engine writes. */
export interface Segment extends RecordName {
  readonly segment: string
  readonly ttl: number
  /** Options of the request. */
  readonly options: PageOptions
}

/** The index of a record. */
interface Head {
  readonly bytes: number
  /** Number of parts by segment. */
  readonly parts: Readonly<Record<string, number>>
  readonly options: PageOptions | undefined
}

/** A record that exists. */
export interface Archived {
  readonly bytes: number
  /** Options of the request. */
  readonly options: PageOptions | undefined
  /** Reads the parts. */
  readonly pieces: () => AsyncGenerator<Uint8Array>
}

/** Reads and writes records in parts. */
export interface Archive {
  /** Appends parts to a segment that has `before` parts. Returns the size of the whole record in bytes. */
  add(to: Segment, before: number, parts: readonly Uint8Array[]): Promise<number>
  /** Finds a record. Resolves to `undefined` if there is none. */
  read(name: RecordName): Promise<Archived | undefined>
  delete(name: RecordName): Promise<void>
}

/**
 * Creates an archive that uses a store. `read` returns `undefined` if there is no such record; deleting it then does nothing.
 * Calls reject if the store fails.
 */
export function recordArchive(store: Store): Archive {
  const headKey = ({ team, id }: RecordName): string => recordKeys.record(JSON.stringify([team, id]))
  const partKey = (name: RecordName, segment: string, part: number): string =>
    recordKeys.record(JSON.stringify([name.team, name.id, segment, part]))
  return {
    add: async (to, before, parts) => {
      const { ttl, segment } = to
      for (const [at, part] of parts.entries()) await store.set(partKey(to, segment, before + at), part, { ttl })
      const more = parts.reduce((sum, { length }) => sum + length, 0)
      let bytes = more
      const change = (old: unknown): Json => {
        const head = headOf(old)
        bytes = (head?.bytes ?? 0) + more
        return { bytes, parts: { ...head?.parts, [segment]: before + parts.length }, options: to.options }
      }
      // The index is updated after the parts, so that every listed part exists.
      await store.update(headKey(to), change, { ttl })
      return bytes
    },
    read: async (name) => {
      const head = headOf(await store.get(headKey(name)))
      if (!head) return undefined
      return {
        bytes: head.bytes,
        options: head.options,
        pieces: () => piecesOf(head, (segment, part) => store.get(partKey(name, segment, part))),
      }
    },
    delete: async (name) => {
      const head = headOf(await store.get(headKey(name)))
      if (!head) return
      await store.delete(headKey(name))
      for (const [segment, part] of placesOf(head)) await store.delete(partKey(name, segment, part))
    },
  }
}

/** Yields the parts of a record, with segments in the order in which they were started. */
function* placesOf({ parts }: Head): Generator<readonly [segment: string, part: number]> {
  for (const segment of Object.keys(parts).toSorted())
    for (let part = 0; part < (parts[segment] ?? 0); part += 1) yield [segment, part]
}

async function* piecesOf(
  head: Head,
  get: (segment: string, part: number) => Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  for (const [segment, part] of placesOf(head)) {
    const piece = await get(segment, part)
    // The part has expired. Stop, because a reader would join the next part to the wrong one.
    if (!(piece instanceof Uint8Array)) return
    yield piece
  }
}

function headOf(value: unknown): Head | undefined {
  if (!isRecord(value) || typeof value['bytes'] !== 'number' || !isRecord(value['parts'])) return undefined
  const parts = Object.entries(value['parts']).filter((pair): pair is [string, number] => typeof pair[1] === 'number')
  // Cast: the store returns JSON.
  const options = readPageOptions(value['options'] as Json | undefined)
  return { bytes: value['bytes'], parts: Object.fromEntries(parts), options }
}
